"""Options as words of items, as code for LLVM. Imported with numba."""

from functools import partial

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dovetail.machine_code.sizes import LANE_PLANES, LANES
from dovetail.machine_code.vectors import BYTES_PER_WORD, WORD, load_vector, splat

BLOCK = ir.VectorType(WORD, LANES)
FLAGS = ir.VectorType(ir.IntType(1), LANES)
NONE = ir.Constant(BLOCK, [0] * LANES)
EVERY_BIT = ir.Constant(BLOCK, [-1] * LANES)


@intrinsic
def with_choices(typing_context, masks, at, pairs, items, branches):
    """As `bitset.kernels.item_masks.plain_choices`, without looking at bounds."""

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
    """As `bitset.kernels.item_masks.plain_disjoint`, without looking at bounds."""

    def generate(context, builder, signature, arguments):
        part = _part(context, builder, signature, arguments, 0)
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        kept_part = builder.gep(array.data, [arguments[4]])
        everywhere = splat(builder, arguments[3])
        count = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        counters = [cgutils.alloca_once_value(builder, NONE) for _ in range(LANE_PLANES + 1)]
        add = _adder(context, builder)

        def add_pair(number):
            """Keep the options of a pair that are left; return the carry of the first counter."""
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
    """As `bitset.kernels.item_masks.plain_covering`, without looking at bounds."""

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
    """As `bitset.kernels.item_masks.plain_left`, without looking at bounds."""

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
    """As `bitset.kernels.item_masks.plain_option`, without looking at bounds."""

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
    """Return the masks of two blocks of eight options."""
    offset = builder.shl(number, ir.Constant(WORD, 4))
    return [
        load_vector(builder, part, builder.add(offset, ir.Constant(WORD, lanes)))
        for lanes in (0, LANES)
    ]


def _keep(context, builder, options, keep, kept_part, count):
    """Write the options to keep behind the `count` options kept before."""
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
    """Return whether the processor has instructions."""
    return f"+{instructions}" in context.codegen().magic_tuple()[-1].split(",")


def _adder(context, builder):
    """Return the function that adds three bits, for each bit of vectors: see `_full_adder`."""
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
    """Return the sum of three bits, and the carry, for each bit of vectors."""
    either = builder.xor(first, second)
    carry = builder.or_(builder.and_(first, second), builder.and_(either, third))
    return builder.xor(either, third), carry


def _part(context, builder, signature, arguments, number):
    """Return where an array goes on from the offset that is the next argument."""
    array = context.make_array(signature.args[number])(context, builder, arguments[number])
    return builder.gep(array.data, [arguments[number + 1]])


def _store(builder, options, part, offset):
    """Write the masks of eight options."""
    place = builder.bitcast(builder.gep(part, [offset]), BLOCK.as_pointer())
    builder.store(options, place).align = BYTES_PER_WORD


def _disjoint(builder, options, everywhere):
    """Return which options have no item of `everywhere`."""
    return builder.icmp_unsigned("==", builder.and_(options, everywhere), NONE)


def _compressed(builder, options, keep):
    """Return the options to keep, side by side from the first lane on."""
    function_type = ir.FunctionType(BLOCK, [BLOCK, BLOCK, FLAGS])
    name = f"llvm.x86.avx512.mask.compress.v{LANES}i64"  # LLVM's own is not in LLVM 15
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, [options, NONE, keep])


def _all_lanes(builder, vector):
    """Return the union of all lanes."""
    function_type = ir.FunctionType(WORD, [BLOCK])
    name = f"llvm.vector.reduce.or.v{LANES}i64"
    function = cgutils.get_or_insert_function(builder.module, function_type, name)
    return builder.call(function, [vector])


def _added_up(builder, add, counters):
    """Return the planes of the numbers of all lanes, and what overflowed in any."""
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
    """Return some lanes of each vector, in a vector of two lanes at least."""
    numbers = [first + lane % lanes for lane in range(max(lanes, 2))]
    order = ir.Constant(ir.VectorType(ir.IntType(32), len(numbers)), numbers)
    return [
        builder.shuffle_vector(each, ir.Constant(each.type, ir.Undefined), order)
        for each in vectors
    ]
