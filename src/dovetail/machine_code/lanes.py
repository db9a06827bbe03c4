"""The item with the fewest choices, as code for LLVM. Imported with numba."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dovetail.machine_code.sizes import BLOCK_LANES as LANES
from dovetail.machine_code.sizes import DEAD, LANE_BITS, NO_ITEM
from dovetail.machine_code.vectors import WORD, load_vector, splat

BLOCK = ir.VectorType(WORD, LANES)
LANE_ORDER = ir.VectorType(ir.IntType(32), LANES)


@intrinsic
def fewest_of_blocks(typing_context, planes, extent, alive, alive_at, need, need_at, closed):
    """As `bitset.kernels.frames.fewest_of_lanes`, without looking at bounds."""
    each_once = isinstance(need, types.NoneType)

    def generate(context, builder, signature, arguments):
        def part(number, offset):
            """Return where an array goes on from an offset."""
            array = context.make_array(signature.args[number])(context, builder, arguments[number])
            return builder.gep(array.data, [offset])

        first, words, blocks = (builder.extract_value(arguments[1], k) for k in range(3))
        planes_part, alive_part = part(0, first), part(2, arguments[3])
        need_part = None if each_once else part(4, arguments[5])
        closed = arguments[6]
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
                covering = load_vector(builder, planes_part, offset, LANES)
                left = builder.load(builder.gep(alive_part, [word.index]))
                both = builder.and_(covering, splat(builder, left, LANES))
                builder.store(builder.add(builder.load(options), _ones(builder, both)), options)
            choices = builder.load(options)
            if not each_once:
                needed = _larger(
                    builder, load_vector(builder, need_part, begin, LANES), _everywhere(0)
                )
                choices = builder.sub(builder.add(choices, _everywhere(1)), needed)
            none_left = builder.icmp_signed("<=", choices, _everywhere(0))
            flags = builder.zext(builder.bitcast(none_left, ir.IntType(LANES)), WORD)
            builder.store(builder.add(builder.load(without), builder.ctpop(flags)), without)
            is_dead = builder.icmp_unsigned(">", builder.load(without), closed)
            with cgutils.if_unlikely(builder, is_dead):
                block.do_break()
            lanes = builder.add(
                splat(builder, begin, LANES), ir.Constant(BLOCK, list(range(LANES)))
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
    """Return how many bits of each lane are set."""
    function_type = ir.FunctionType(BLOCK, [BLOCK])
    name = f"llvm.ctpop.v{LANES}i64"
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
    """Return the smallest of all lanes."""
    undefined, distance = ir.Constant(BLOCK, ir.Undefined), LANES // 2
    while distance:
        order = ir.Constant(LANE_ORDER, [lane ^ distance for lane in range(LANES)])
        vector = _smaller(builder, vector, builder.shuffle_vector(vector, undefined, order))
        distance //= 2
    return builder.extract_element(vector, ir.Constant(ir.IntType(32), 0))


def _everywhere(number):
    """Return a vector of the same number in all lanes."""
    return ir.Constant(BLOCK, [number] * LANES)
