"""The item with the fewest choices, a block of items at a time.

The sets of options that cover items lie in planes: word 0 of all items, then word 1 of all, and so
on. Items side by side are lanes of a vector, and what is alive is the same word for all of them, so
that nothing is added up across a vector before the very end.

An intrinsic, since the counts of a block have to stay in registers while its words go by. It does
not run with the JIT switched off: tests use a twin in plain Python.
"""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dovetail.backends.bitset.kernels.layout import LANES
from dovetail.jit import kernel

BYTES_PER_WORD = 8
LANE_BITS = 32  # of a key, below the number of choices
NO_ITEM = 1 << 62
DEAD = -1

WORD = ir.IntType(64)
BLOCK = ir.VectorType(WORD, LANES)
LANE_ORDER = ir.VectorType(ir.IntType(32), LANES)


@kernel(inline=True)
def fewest_choices(planes, extent, alive, alive_at, need, need_at, closed):
    """The key of the open item with the fewest choices, the first of these, as an int64.

    A key is the number of choices · 2**32 + the lane; `NO_ITEM` when no item is open. The result
    is `DEAD` where more than `closed` lanes have no choice, so that one of them is an open item's.

    The `Extent` of a frame has the `first`, `words` and `blocks` of its planes:
    `planes[first + (w · blocks + b) · LANES + l]` is word w of the options that cover the item in
    lane b · LANES + l, `alive[alive_at + w]` of those that may still be taken. Where all items are
    covered exactly once, `need` is None and an item has as many choices as it has options alive.
    Otherwise `need[need_at + lane]`, int64, is how many more an item needs, and its choices are
    options + 1 − max(0, need): which option to take first, or none. All arrays but `need` are
    uint64.
    """
    at, words, blocks = extent.first, extent.words, extent.blocks
    planes[at + words * blocks * types.uint64(LANES) - types.uint64(1)]  # in bounds?
    alive[alive_at + words - types.uint64(1)]
    return _fewest_choices(planes, at, words, blocks, alive, alive_at, need, need_at, closed)


@intrinsic
def _fewest_choices(
    typing_context, planes, at, words, blocks, alive, alive_at, need, need_at, closed
):
    each_once = isinstance(need, types.NoneType)

    def generate(context, builder, signature, arguments):
        def part(number):
            """Where an array goes on from the offset that is the next argument."""
            array = context.make_array(signature.args[number])(context, builder, arguments[number])
            return builder.gep(array.data, [arguments[number + 1]])

        planes_part, alive_part, need_part = part(0), part(4), None if each_once else part(6)
        words, blocks, closed = arguments[2], arguments[3], arguments[8]
        stride = builder.mul(blocks, ir.Constant(WORD, LANES))
        options = cgutils.alloca_once(builder, BLOCK)
        lowest = cgutils.alloca_once_value(builder, _everywhere(NO_ITEM))
        without = cgutils.alloca_once_value(builder, ir.Constant(WORD, 0))
        result = cgutils.alloca_once_value(builder, ir.Constant(WORD, DEAD))
        with cgutils.for_range(builder, blocks, intp=WORD) as block:
            begin = builder.mul(block.index, ir.Constant(WORD, LANES))
            builder.store(_everywhere(0), options)
            with cgutils.for_range(builder, words, intp=WORD) as word:
                offset = builder.add(begin, builder.mul(word.index, stride))
                covering = _loaded(builder, planes_part, offset)
                left = builder.load(builder.gep(alive_part, [word.index]))
                both = builder.and_(covering, _splat(builder, left))
                builder.store(builder.add(builder.load(options), _ones(builder, both)), options)
            choices = builder.load(options)
            if not each_once:
                needed = _larger(builder, _loaded(builder, need_part, begin), _everywhere(0))
                choices = builder.sub(builder.add(choices, _everywhere(1)), needed)
            none_left = builder.icmp_signed("<=", choices, _everywhere(0))
            flags = builder.zext(builder.bitcast(none_left, ir.IntType(LANES)), WORD)
            builder.store(builder.add(builder.load(without), builder.ctpop(flags)), without)
            is_dead = builder.icmp_unsigned(">", builder.load(without), closed)
            with cgutils.if_unlikely(builder, is_dead):
                block.do_break()
            lanes = builder.add(_splat(builder, begin), ir.Constant(BLOCK, list(range(LANES))))
            keys = builder.or_(builder.shl(choices, _everywhere(LANE_BITS)), lanes)
            keys = builder.select(none_left, _everywhere(NO_ITEM), keys)
            builder.store(_smaller(builder, builder.load(lowest), keys), lowest)
        is_alive = builder.icmp_unsigned("<=", builder.load(without), closed)
        with builder.if_then(is_alive):
            builder.store(_lowest_lane(builder, builder.load(lowest)), result)
        return builder.load(result)

    arrays = (planes, at, words, blocks, alive, alive_at, need, need_at, closed)
    return types.int64(*arrays), generate


def _loaded(builder, pointer, offset):
    """The words of a block, from an offset on."""
    words = builder.load(builder.bitcast(builder.gep(pointer, [offset]), BLOCK.as_pointer()))
    words.align = BYTES_PER_WORD
    return words


def _ones(builder, vector):
    """How many bits of each lane are set."""
    function_type = ir.FunctionType(BLOCK, [BLOCK])
    name = f"llvm.ctpop.v{LANES}i64"
    return builder.call(
        cgutils.get_or_insert_function(builder.module, function_type, name), [vector]
    )


def _smaller(builder, first, second):
    """The smaller one of each two lanes."""
    return builder.select(builder.icmp_signed("<", first, second), first, second)


def _larger(builder, first, second):
    """The larger one of each two lanes."""
    return builder.select(builder.icmp_signed(">", first, second), first, second)


def _lowest_lane(builder, vector):
    """The smallest of all lanes."""
    undefined, distance = ir.Constant(BLOCK, ir.Undefined), LANES // 2
    while distance:
        order = ir.Constant(LANE_ORDER, [lane ^ distance for lane in range(LANES)])
        vector = _smaller(builder, vector, builder.shuffle_vector(vector, undefined, order))
        distance //= 2
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


def _everywhere(number):
    """A vector of the same number in all lanes."""
    return ir.Constant(BLOCK, [number] * LANES)


def _splat(builder, word):
    """A vector of the same word in all lanes."""
    undefined = ir.Constant(BLOCK, ir.Undefined)
    one = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    return builder.shuffle_vector(one, undefined, ir.Constant(LANE_ORDER, [0] * LANES))
