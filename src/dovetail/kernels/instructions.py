"""What `bits` stands for: code for LLVM. Imported when a kernel is compiled, with numba."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from dovetail.kernels.lanes import LANES

WORD = ir.IntType(64)
EIGHT_WORDS = ir.VectorType(WORD, LANES)
BYTES_PER_WORD = 8


@intrinsic
def trailing_zeros(typing_context, word):
    """The number of the lowest bit set in a uint64 that is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def leading_zeros(typing_context, word):
    """How many bits lie above the highest bit set in a uint64 that is not 0."""

    def generate(context, builder, signature, arguments):
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def ones(typing_context, word):
    """How many bits of a uint64 are set."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@intrinsic
def disjoint_vectors(typing_context, masks, at, stride, board):
    """Which of eight masks have no bit in common with `board`, without looking at bounds."""
    words = len(board)

    def generate(context, builder, signature, arguments):
        array, first, step, board_words = arguments
        data = context.make_array(signature.args[0])(context, builder, array).data
        taken = ir.Constant(EIGHT_WORDS, [0] * LANES)
        for word in range(words):
            here = builder.bitcast(builder.gep(data, [first]), EIGHT_WORDS.as_pointer())
            lanes = builder.load(here)
            lanes.align = BYTES_PER_WORD
            everywhere = _splat(builder, builder.extract_value(board_words, word))
            taken = builder.or_(taken, builder.and_(lanes, everywhere))
            first = builder.add(first, step)
        free = builder.icmp_unsigned("==", taken, ir.Constant(EIGHT_WORDS, [0] * LANES))
        return builder.zext(builder.bitcast(free, ir.IntType(LANES)), WORD)

    return types.uint64(masks, types.uint64, types.uint64, board), generate


def _splat(builder, word):
    """A vector of eight times the same word."""
    undefined = ir.Constant(EIGHT_WORDS, ir.Undefined)
    one = builder.insert_element(undefined, word, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
    return builder.shuffle_vector(one, undefined, lanes)
