// The search of `breaks` in plain C++: depth-first over cells in a fixed order, candidates from
// lists by the colours of two neighbours, mismatches that unlock by depth. The nodes and the best
// score are those of the kernel; see `BreaksLists`, `BreaksRules` and `BreaksStack` of
// `dovetail.improvers.breaks.kernels.breaks` for the arrays.
// Source of the method: L. Verhaard 2008, J. Blackwood 2020.

#include <cstdint>
#include <cstring>
#include <vector>

using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

struct Board {
    const uint32_t *sides, *steps, *begin, *mismatched, *entries, *preferred;
    const uint64_t *allowed, *quota, *joined;
    uint64_t step_count, tiles, colours;
};

// A row of `steps`.
struct Step {
    uint32_t lists, shows_at, first_known, second_known, further;
    struct {
        uint32_t place, side;
    } known[2];
    uint32_t unused[7];
};

struct Frame {
    const uint32_t *at, *mismatch_begin, *end;
    uint32_t missed, reached, orientation;
};

struct Search {
    const Board &board;
    std::vector<Frame> frames;
    std::vector<uint32_t> shown, record;
    std::vector<uint8_t> used;
    uint64_t nodes = 0, best = 0;

    Search(const Board &b, const uint32_t *hinted)
        : board(b), frames(b.step_count + 1), shown(hinted, hinted + 4 * b.tiles + 1),
          record(b.step_count), used(b.tiles) {}

    // What the loop needs is in local variables: the compiler knows that no store changes those.
    void run(const uint64_t max_nodes) {
        const Board b = board;
        const Step *const steps = reinterpret_cast<const Step *>(b.steps);
        uint32_t *const show = shown.data();
        uint8_t *const taken = used.data();
        Frame *const first = frames.data();
        Frame *frame = first;
        uint64_t made = 0, top = 0, depth = 0;
        const auto open = [&](const uint64_t at) {
            const Step &step = steps[at];
            const uint64_t list =
                step.lists + show[step.first_known] * b.colours + show[step.second_known];
            Frame &next = first[at];
            next.at = b.entries + b.begin[list];
            next.mismatch_begin = b.entries + b.mismatched[list];
            const bool may_miss = next.missed < b.allowed[at];
            next.end = may_miss ? b.entries + b.begin[list + 1] : next.mismatch_begin;
        };
        first->missed = first->reached = 0;
        open(0);
        while (made < max_nodes) {
            if (frame->at == frame->end) {
                if (depth == 0) break;
                depth--;
                frame--;
                taken[frame->orientation >> 2] = 0;
                continue;
            }
            const uint32_t *const entry = frame->at++;
            const uint32_t orientation = *entry;
            if (taken[orientation >> 2]) continue;
            const Step &step = steps[depth];
            const uint32_t *const sides = b.sides + 4 * orientation;
            uint32_t missed = frame->missed + (entry >= frame->mismatch_begin);
            if (step.further) {
                for (uint32_t k = 0; k < step.further; k++) {
                    missed += sides[step.known[k].side] != show[step.known[k].place];
                }
                if (missed > b.allowed[depth]) continue;
            }
            const uint32_t reached = frame->reached + b.preferred[orientation];
            if (reached < b.quota[depth]) continue;
            made++;
            taken[orientation >> 2] = 1;
            frame->orientation = orientation;
            std::memcpy(show + step.shows_at, sides, 4 * sizeof(uint32_t));
            if (b.joined[depth] > top + missed) {
                top = b.joined[depth] - missed;
                for (uint64_t k = 0; k <= depth; k++) record[k] = first[k].orientation;
            }
            depth++;
            frame++;
            frame->missed = missed;
            frame->reached = reached;
            if (depth == b.step_count) {
                frame->at = frame->end = nullptr;
            } else {
                open(depth);
            }
        }
        nodes = made;
        best = top;
    }
};

// `found` gets the nodes and the best score, `record` the orientations of the best partial board.
extern "C" void breaks_twin(const Board *board, const uint32_t *hinted, uint64_t max_nodes,
                            uint64_t *found, uint32_t *record) {
    Search search(*board, hinted);
    search.run(max_nodes);
    found[0] = search.nodes;
    found[1] = search.best;
    std::memcpy(record, search.record.data(), search.record.size() * sizeof(uint32_t));
}
