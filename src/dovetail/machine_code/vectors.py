"""Functions on vectors of words, as code for LLVM. Importing this module imports numba.

The functions belong to the pieces `vectors` (which of eight masks fit), `lanes` (the item with the
fewest choices) and `lists` (options of one word, which has a bit for each item).
"""

from functools import partial

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dovetail.machine_code.layout import BLOCK_LANES, DEAD, LANE_BITS, LANE_PLANES, LANES, NO_ITEM

WORD = ir.IntType(64)
EIGHT_WORDS = ir.VectorType(WORD, LANES)
BYTES_PER_WORD = 8


@intrinsic
def disjoint_vectors(typing_context, masks, at, stride, board):
    """Compute `kernels.bits.plain_disjoint` without bounds checks."""
    words = len(board)

    def generate(context, builder, signature, arguments):
        array, first, step, board_words = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        taken = ir.Constant(EIGHT_WORDS, [0] * LANES)
        for word in range(words):
            everywhere = splat(builder, builder.extract_value(board_words, word))
            masked = builder.and_(load_vector(builder, data, first), everywhere)
            taken = builder.or_(taken, masked)
            first = builder.add(first, step)
        free = builder.icmp_unsigned("==", taken, ir.Constant(EIGHT_WORDS, [0] * LANES))
        return builder.zext(builder.bitcast(free, ir.IntType(LANES)), WORD)

    return types.uint64(masks, types.uint64, types.uint64, board), generate


def splat(builder, word, lanes=LANES):
    """Return a vector of the same word in all lanes."""
    undefined = ir.Constant(ir.VectorType(WORD, lanes), ir.Undefined)
    first = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    order = ir.Constant(ir.VectorType(ir.IntType(32), lanes), [0] * lanes)
    return builder.shuffle_vector(first, undefined, order)


def load_vector(builder, pointer, offset, lanes=LANES):
    """Return a vector of the words at a pointer plus an offset in words."""
    vector = ir.VectorType(WORD, lanes)
    words = builder.load(builder.bitcast(builder.gep(pointer, [offset]), vector.as_pointer()))
    words.align = BYTES_PER_WORD
    return words


BLOCK = ir.VectorType(WORD, BLOCK_LANES)
LANE_ORDER = ir.VectorType(ir.IntType(32), BLOCK_LANES)


@intrinsic
def fewest_of_blocks(typing_context, planes, extent, alive, alive_at, need, need_at, closed):
    """Compute `bitset.kernels.frames.fewest_of_lanes` without bounds checks."""
    each_once = isinstance(need, types.NoneType)

    def generate(context, builder, signature, arguments):
        def part(number, offset):
            """Return a pointer to the entry of array argument `number` at an offset."""
            array = context.make_array(signature.args[number])(context, builder, arguments[number])
            return builder.gep(array.data, [offset])

        first, words, blocks = (builder.extract_value(arguments[1], k) for k in range(3))
        planes_part, alive_part = part(0, first), part(2, arguments[3])
        need_part = None if each_once else part(4, arguments[5])
        closed = arguments[6]
        stride = builder.mul(blocks, ir.Constant(WORD, BLOCK_LANES))
        options = cgutils.alloca_once(builder, BLOCK)
        lowest = cgutils.alloca_once_value(builder, _everywhere(NO_ITEM))
        without = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        result = cgutils.alloca_once_value(builder, ir.Constant(WORD, DEAD))
        with cgutils.for_range(builder, blocks, intp=WORD) as block:
            begin = builder.mul(block.index, ir.Constant(WORD, BLOCK_LANES))
            builder.store(_everywhere(0), options)
            with cgutils.for_range(builder, words, intp=WORD) as word:
                offset = builder.add(begin, builder.mul(word.index, stride))
                covering = load_vector(builder, planes_part, offset, BLOCK_LANES)
                left = builder.load(builder.gep(alive_part, [word.index]))
                both = builder.and_(covering, splat(builder, left, BLOCK_LANES))
                builder.store(builder.add(builder.load(options), _ones(builder, both)), options)
            choices = builder.load(options)
            if not each_once:
                needed = _larger(
                    builder, load_vector(builder, need_part, begin, BLOCK_LANES), _everywhere(0)
                )
                choices = builder.sub(builder.add(choices, _everywhere(1)), needed)
            none_left = builder.icmp_signed("<=", choices, _everywhere(0))
            flags = builder.zext(builder.bitcast(none_left, ir.IntType(BLOCK_LANES)), WORD)
            builder.store(builder.add(builder.load(without), builder.ctpop(flags)), without)
            is_dead = builder.icmp_unsigned(">", builder.load(without), closed)
            with cgutils.if_unlikely(builder, is_dead):
                block.do_break()
            lanes = builder.add(
                splat(builder, begin, BLOCK_LANES), ir.Constant(BLOCK, list(range(BLOCK_LANES)))
            )
            keys = builder.or_(builder.shl(choices, _everywhere(LANE_BITS)), lanes)
            keys = builder.select(none_left, _everywhere(NO_ITEM), keys)
            builder.store(_smaller(builder, builder.load(lowest), keys), lowest)
        is_alive = builder.icmp_unsigned("<=", builder.load(without), closed)
        with builder.if_then(is_alive):
            builder.store(_lowest_lane(builder, builder.load(lowest)), result)
        return builder.load(result)

    arrays = (planes, extent, alive, alive_at, need, need_at, closed)
    return types.int64(*arrays), generate


def _ones(builder, vector):
    """Return the number of bits set in each lane."""
    function_type = ir.FunctionType(BLOCK, [BLOCK])
    name = f"llvm.ctpop.v{BLOCK_LANES}i64"
    return builder.call(
        cgutils.get_or_insert_function(builder.module, function_type, name), [vector]
    )


def _smaller(builder, first, second):
    """Return the lane-wise minimum."""
    return builder.select(builder.icmp_signed("<", first, second), first, second)


def _larger(builder, first, second):
    """Return the lane-wise maximum."""
    return builder.select(builder.icmp_signed(">", first, second), first, second)


def _lowest_lane(builder, vector):
    """Return the smallest of the numbers in all lanes."""
    undefined, distance = ir.Constant(BLOCK, ir.Undefined), BLOCK_LANES // 2
    while distance:
        order = ir.Constant(LANE_ORDER, [lane ^ distance for lane in range(BLOCK_LANES)])
        vector = _smaller(builder, vector, builder.shuffle_vector(vector, undefined, order))
        distance //= 2
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


def _everywhere(number):
    """Return a vector of the same number in all lanes."""
    return ir.Constant(BLOCK, [number] * BLOCK_LANES)


FLAGS = ir.VectorType(ir.IntType(1), LANES)
NONE = ir.Constant(EIGHT_WORDS, [0] * LANES)
EVERY_BIT = ir.Constant(EIGHT_WORDS, [-1] * LANES)


@intrinsic
def with_choices(typing_context, masks, at, pairs, items, branches):
    """Compute `bitset.kernels.item_masks.plain_choices` without bounds checks."""

    def generate(context, builder, signature, arguments):
        part = _part(context, builder, signature, arguments, 0)
        taken = [builder.extract_value(arguments[4], number) for number in range(len(branches))]
        everywhere = [splat(builder, each) for each in taken]
        left = [cgutils.alloca_once_value(builder, NONE) for _ in taken]
        with cgutils.for_range(builder, arguments[2], intp=WORD) as pair:
            for options in _pair(builder, part, pair.index):
                for number, each in enumerate(everywhere):
                    kept = builder.select(_disjoint(builder, options, each), options, NONE)
                    builder.store(builder.or_(builder.load(left[number]), kept), left[number])
        flags = ir.Constant(WORD, 0)
        for number, each in enumerate(taken):
            covered = builder.or_(_all_lanes(builder, builder.load(left[number])), each)
            missing = builder.and_(arguments[3], builder.not_(covered))
            is_alive = builder.icmp_unsigned("==", missing, ir.Constant(WORD, 0))
            flag = builder.shl(builder.zext(is_alive, WORD), ir.Constant(WORD, number))
            flags = builder.or_(flags, flag)
        return flags

    return types.uint64(masks, at, pairs, items, branches), generate


@intrinsic
def compressed_disjoint(typing_context, masks, at, pairs, taken, below, planes):
    """Compute `bitset.kernels.item_masks.plain_disjoint` without bounds checks."""

    def generate(context, builder, signature, arguments):
        part = _part(context, builder, signature, arguments, 0)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        kept_part = builder.gep(array.data, [arguments[4]])
        everywhere = splat(builder, arguments[3])
        count = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        counters = [cgutils.alloca_once_value(builder, NONE) for _ in range(LANE_PLANES + 1)]
        add = _adder(context, builder)

        def add_pair(number):
            """Keep the options of a pair that are disjoint from `taken`; return a carry."""
            added = []
            for options in _pair(builder, part, number):
                keep = _disjoint(builder, options, everywhere)
                _keep(context, builder, options, keep, kept_part, count)
                added.append(builder.select(keep, options, NONE))
            total, carry = add(builder.load(counters[0]), *added)
            builder.store(total, counters[0])
            return carry

        def add_carry(carry, counters):
            for counter in counters[:-1]:
                before = builder.load(counter)
                builder.store(builder.xor(before, carry), counter)
                carry = builder.and_(before, carry)
            builder.store(builder.or_(builder.load(counters[-1]), carry), counters[-1])

        one = ir.Constant(WORD, 1)
        twice = builder.lshr(arguments[2], one)
        with cgutils.for_range(builder, twice, intp=WORD) as two:
            first = builder.shl(two.index, one)
            carries = [add_pair(first), add_pair(builder.add(first, one))]
            total, carry = add(builder.load(counters[1]), *carries)
            builder.store(total, counters[1])
            add_carry(carry, counters[2:])
        with builder.if_then(builder.trunc(arguments[2], ir.IntType(1))):
            add_carry(add_pair(builder.shl(twice, one)), counters[1:])
        for lanes in (0, LANES):
            end = builder.add(builder.load(count), ir.Constant(WORD, lanes))
            _store(builder, EVERY_BIT, kept_part, end)
        results = context.make_array(signature.args[5])(context, builder, arguments[5]).data
        loaded = [builder.load(counter) for counter in counters]
        for number, total in enumerate(_added_up(builder, add, loaded)):
            builder.store(total, builder.gep(results, [ir.Constant(WORD, number)]))
        return builder.load(count)

    return types.uint64(masks, at, pairs, taken, below, planes), generate


@intrinsic
def compressed_covering(typing_context, masks, at, pairs, item, below):
    """Compute `bitset.kernels.item_masks.plain_covering` without bounds checks."""

    def generate(context, builder, signature, arguments):
        part = _part(context, builder, signature, arguments, 0)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        kept_part = builder.gep(array.data, [arguments[4]])
        everywhere = splat(builder, arguments[3])
        count = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        with cgutils.for_range(builder, arguments[2], intp=WORD) as pair:
            for options in _pair(builder, part, pair.index):
                keep = builder.not_(_disjoint(builder, options, everywhere))
                _keep(context, builder, options, keep, kept_part, count)
        return builder.load(count)

    return types.uint64(masks, at, pairs, item, below), generate


@intrinsic
def united_disjoint(typing_context, masks, at, pairs, taken):
    """Compute `bitset.kernels.item_masks.plain_left` without bounds checks."""

    def generate(context, builder, signature, arguments):
        part = _part(context, builder, signature, arguments, 0)
        everywhere = splat(builder, arguments[3])
        any_option, several = (cgutils.alloca_once_value(builder, NONE) for _ in range(2))
        with cgutils.for_range(builder, arguments[2], intp=WORD) as pair:
            for options in _pair(builder, part, pair.index):
                kept = builder.select(_disjoint(builder, options, everywhere), options, NONE)
                before = builder.load(any_option)
                again = builder.or_(builder.load(several), builder.and_(before, kept))
                builder.store(again, several)
                builder.store(builder.or_(before, kept), any_option)
        first, more, lanes = builder.load(any_option), builder.load(several), LANES
        while lanes > 1:
            lanes //= 2
            low, high = (_lanes(builder, [first, more], start, lanes) for start in (0, lanes))
            more = builder.or_(builder.or_(low[1], high[1]), builder.and_(low[0], high[0]))
            first = builder.or_(low[0], high[0])
        zero = ir.Constant(ir.IntType(32), 0)
        words = [builder.extract_element(each, zero) for each in (first, more)]
        return context.make_tuple(builder, signature.return_type, words)

    return types.UniTuple(types.uint64, 2)(masks, at, pairs, taken), generate


@intrinsic
def united_covering(typing_context, masks, at, pairs, taken, item):
    """Compute `bitset.kernels.item_masks.plain_option` without bounds checks."""

    def generate(context, builder, signature, arguments):
        part = _part(context, builder, signature, arguments, 0)
        everywhere = splat(builder, builder.or_(arguments[3], arguments[4]))
        wanted = splat(builder, arguments[4])
        united = cgutils.alloca_once_value(builder, NONE)
        with cgutils.for_range(builder, arguments[2], intp=WORD) as pair:
            for options in _pair(builder, part, pair.index):
                covers = builder.icmp_unsigned("==", builder.and_(options, everywhere), wanted)
                kept = builder.select(covers, options, NONE)
                builder.store(builder.or_(builder.load(united), kept), united)
        return _all_lanes(builder, builder.load(united))

    return types.uint64(masks, at, pairs, taken, item), generate


def _pair(builder, part, number):
    """Return the masks of the pair `number`: two vectors of eight options each."""
    offset = builder.shl(number, ir.Constant(WORD, 4))
    return [
        load_vector(builder, part, builder.add(offset, ir.Constant(WORD, lanes)))
        for lanes in (0, LANES)
    ]


def _keep(context, builder, options, keep, kept_part, count):
    """Write the options to keep after the `count` options kept before; increase `count`."""
    if _has(context, "avx512f"):
        _store(builder, _compressed(builder, options, keep), kept_part, builder.load(count))
        flags = builder.zext(builder.bitcast(keep, ir.IntType(LANES)), WORD)
        builder.store(builder.add(builder.load(count), builder.ctpop(flags)), count)
        return
    kept = builder.load(count)
    for lane in range(LANES):
        number = ir.Constant(ir.IntType(32), lane)
        option = builder.extract_element(options, number)
        builder.store(option, builder.gep(kept_part, [kept]))
        kept = builder.add(kept, builder.zext(builder.extract_element(keep, number), WORD))
    builder.store(kept, count)


def _has(context, instructions):
    """Return whether the processor has the instruction set `instructions`."""
    return f"+{instructions}" in context.codegen().magic_tuple()[-1].split(",")


def _adder(context, builder):
    """Return a function like `_full_adder`, which uses AVX-512 if the processor has it."""
    if not _has(context, "avx512vl"):
        return partial(_full_adder, builder)

    def add(first, second, third):
        kind = first.type
        function_type = ir.FunctionType(kind, [kind, kind, kind, ir.IntType(32)])
        name = f"llvm.x86.avx512.pternlog.q.{64 * kind.count}"
        function = cgutils.get_or_insert_function(builder.module, function_type, name)
        return [
            builder.call(function, [first, second, third, ir.Constant(ir.IntType(32), table)])
            for table in (0b1001_0110, 0b1110_1000)
        ]

    return add


def _full_adder(builder, first, second, third):
    """Return the sum and the carry of three bits, for each bit of three vectors."""
    either = builder.xor(first, second)
    carry = builder.or_(builder.and_(first, second), builder.and_(either, third))
    return builder.xor(either, third), carry


def _part(context, builder, signature, arguments, number):
    """Return a pointer into array argument `number`, at the offset that is the next argument."""
    array = context.make_array(signature.args[number])(context, builder, arguments[number])
    return builder.gep(array.data, [arguments[number + 1]])


def _store(builder, options, part, offset):
    """Write the masks of eight options to a pointer plus an offset in words."""
    place = builder.bitcast(builder.gep(part, [offset]), EIGHT_WORDS.as_pointer())
    builder.store(options, place).align = BYTES_PER_WORD


def _disjoint(builder, options, everywhere):
    """Return a flag for each option: set if the option has no item of `everywhere`."""
    return builder.icmp_unsigned("==", builder.and_(options, everywhere), NONE)


def _compressed(builder, options, keep):
    """Return the options to keep, moved to the first lanes of the vector."""
    function_type = ir.FunctionType(EIGHT_WORDS, [EIGHT_WORDS, EIGHT_WORDS, FLAGS])
    name = f"llvm.x86.avx512.mask.compress.v{LANES}i64"  # LLVM 15 lacks a portable intrinsic
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, [options, NONE, keep])


def _all_lanes(builder, vector):
    """Return the bitwise or of all lanes."""
    function_type = ir.FunctionType(WORD, [EIGHT_WORDS])
    name = f"llvm.vector.reduce.or.v{LANES}i64"
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, [vector])


def _added_up(builder, add, counters):
    """Return the bit planes of the sums over all lanes, and the overflow of any lane."""
    *planes, overflow = counters
    lanes = LANES
    while lanes > 1:
        lanes //= 2
        low, high = (_lanes(builder, [*planes, overflow], first, lanes) for first in (0, lanes))
        overflow = builder.or_(low.pop(), high.pop())
        carry = builder.and_(low[0], high[0])
        planes = [builder.xor(low[0], high[0])]
        for first, second in zip(low[1:], high[1:], strict=True):
            total, carry = add(first, second, carry)
            planes.append(total)
        planes.append(carry)
    zero = ir.Constant(ir.IntType(32), 0)
    return [builder.extract_element(each, zero) for each in (*planes, overflow)]


def _lanes(builder, vectors, first, lanes):
    """Return `lanes` lanes of each vector from `first` on, in a vector of at least two lanes."""
    numbers = [first + lane % lanes for lane in range(max(lanes, 2))]
    order = ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)
    return [
        builder.shuffle_vector(each, ir.Constant(each.type, ir.Undefined), order)
        for each in vectors
    ]
