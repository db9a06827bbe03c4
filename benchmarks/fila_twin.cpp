// Busche's solveFila in plain C++: the tree, the attempts and the fits of the kernel `reference`.
// Source: Busche 2018 (solveFila, getImageListSet, the ordering heuristics f and e).
// For boards of one word whose shapes are all different: N_s is a bit of `available`.

#include <cstdint>

using Word = std::uint64_t;

static Word lowest(Word word) { return static_cast<Word>(__builtin_ctzll(word)); }
static Word ones(Word word) { return static_cast<Word>(__builtin_popcountll(word)); }

// The lists for targets that are chosen in one way; see `Lists` in the test for the arrays.
struct Lists {
    const Word *near;
    Word bits;
    const Word *full;
    const std::uint32_t *start;
    const Word *masks;

    Word key(Word cell, Word board) const {
        Word state = 0;
        for (Word j = 0; j < bits; j++) {
            state |= static_cast<Word>((near[8 * cell + j] & board) != 0) << j;
        }
        return (cell << bits) + state;
    }
};

struct Search {
    const Lists &ordered, &any_order;
    const Word *adjacent;
    Word shapes, ordered_from;  // f from so many pieces remaining on, e before
    Word *attempts, *fits;      // by pieces remaining

    // A function for each heuristic, and f, once in use, calls itself alone: 10 % quicker than
    // one function that asks which it is.
    template <bool by_f> void solve(Word remaining, Word board, Word available) {
        const Lists &lists = by_f ? ordered : any_order;
        Word key = 0, tried = 0, placed = 0;
        if (by_f) {
            key = ordered.key(lowest(~board), board);
        } else if (!fewest(board, available, key)) {
            return;
        }
        const std::uint32_t *start = lists.start + key * shapes;
        for (Word todo = available & lists.full[key]; todo; todo &= todo - 1) {
            const Word shape = lowest(todo), end = start[shape + 1];
            tried += end - start[shape];
            for (Word at = start[shape]; at < end; at++) {
                const Word image = lists.masks[at];
                if ((image & board) == 0) {
                    placed++;
                    const Word left = remaining - 1, rest = available ^ (Word{1} << shape);
                    if (left > ordered_from) {
                        solve<by_f>(left, board | image, rest);
                    } else if (left > 0) {
                        solve<true>(left, board | image, rest);
                    }
                }
            }
        }
        attempts[remaining] += tried;
        fits[remaining] += placed;
    }

    // Heuristic e: among the open cells with fewest open neighbours the first with fewest fits.
    // Writes the key of its lists; whether it has a fit at all.
    bool fewest(Word board, Word available, Word &key) const {
        Word candidates = 0, least_open = ~Word{0}, least = ~Word{0};
        for (Word cells = ~board; cells; cells &= cells - 1) {
            const Word cell = lowest(cells), open = ones(adjacent[cell] & ~board);
            if (open < least_open) {
                least_open = open;
                candidates = 0;
            }
            if (open == least_open) candidates |= Word{1} << cell;
        }
        for (; candidates; candidates &= candidates - 1) {
            const Word candidate = any_order.key(lowest(candidates), board);
            const Word fitting = count_fits(candidate, least, board, available);
            if (fitting < least) {
                least = fitting;
                key = candidate;
                if (least == 0) return false;
            }
        }
        return true;
    }

    // How many images of available shapes fit; it may stop from `most` on.
    Word count_fits(Word key, Word most, Word board, Word available) const {
        const std::uint32_t *start = any_order.start + key * shapes;
        Word fitting = 0;
        for (Word todo = available & any_order.full[key]; todo; todo &= todo - 1) {
            const Word shape = lowest(todo), end = start[shape + 1];
            for (Word at = start[shape]; at < end; at++) {
                fitting += (any_order.masks[at] & board) == 0;
            }
            if (fitting >= most) break;
        }
        return fitting;
    }
};

extern "C" void fila_twin(const Lists *ordered, const Lists *any_order, const Word *adjacent,
                          Word shapes, Word ordered_from, Word pieces, Word board,
                          Word *attempts, Word *fits) {
    Search search{*ordered, *any_order, adjacent, shapes, ordered_from, attempts, fits};
    const Word every_shape = (Word{1} << shapes) - 1;
    if (pieces > ordered_from) {
        search.solve<false>(pieces, board, every_shape);
    } else {
        search.solve<true>(pieces, board, every_shape);
    }
}
