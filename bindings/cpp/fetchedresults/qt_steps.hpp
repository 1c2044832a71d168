// The steps of a change set, in runs of equal changes of neighbours.
#ifndef FETCHEDRESULTS_QT_STEPS_HPP
#define FETCHEDRESULTS_QT_STEPS_HPP

#include <deque>

#include "list.hpp"

namespace fetchedresults::qt {

// Whether the row or section of a record may show something else.
inline bool changes_content(const Change &change)
{
    if (change.type() != ChangeType::moved) {
        return change.type() == ChangeType::updated;
    }
    const fr_change &record = change.raw();
    // All bits are set if it is unknown which columns changed.
    return record.changed_columns != 0 || (!change.is_section() && record.old_path.section != record.new_path.section);
}

// A run of equal changes of adjacent rows or sections. The row of a section's place is -1.
class Step {
  public:
    Step(ChangeSet steps, const fr_range &range) : steps_(std::move(steps)), range_(range) {}

    ChangeType type() const noexcept
    {
        return !has_old()   ? ChangeType::inserted
               : !has_new() ? ChangeType::deleted
                            : static_cast<ChangeType>(range_.type);
    }
    bool is_sections() const noexcept { return range_.kind == FR_SECTION; }
    bool has_old() const noexcept { return range_.old_path.section >= 0; }
    bool has_new() const noexcept { return range_.new_path.section >= 0; }
    // The first one's place before the step, and its place after it, counted without the run.
    IndexPath old_path() const noexcept { return range_.old_path; }
    IndexPath new_path() const noexcept { return range_.new_path; }
    std::int64_t count() const noexcept { return range_.count; }

    // The halves of a move: rows are removed from their old place, and then inserted at the new
    // one.
    Step leaving() const
    {
        Step half(*this);
        half.range_.new_path = {-1, -1};
        return half;
    }
    Step arriving() const
    {
        Step half(*this);
        half.range_.old_path = {-1, -1};
        return half;
    }

    // Adds a range that follows, if both are updates of neighbours.
    bool join(const fr_range &next)
    {
        const auto end = [](const fr_range &range, std::int64_t count) {
            return range.kind == FR_SECTION ? IndexPath(range.new_path.section + count, -1)
                                            : IndexPath(range.new_path.section, range.new_path.row + count);
        };
        if (range_.type != FR_UPDATE || next.type != FR_UPDATE || range_.kind != next.kind
            || IndexPath(next.new_path) != end(range_, range_.count) || next.first != range_.first + range_.count) {
            return false;
        }
        range_.count += next.count;
        return true;
    }

    // The record of the row or section at an offset from the first one.
    Change change(std::int64_t offset) const
    {
        // Deletes are done from the end.
        const std::int64_t place = range_.type == FR_DELETE ? range_.count - 1 - offset : offset;
        return steps_[static_cast<std::size_t>(range_.first + place)];
    }

    // The place after the step of what was at a place before it; nothing if it was deleted.
    std::optional<IndexPath> follow(IndexPath path) const
    {
        return follow(path, has_old(), old_path(), has_new(), new_path());
    }
    // Its place before the step; nothing if it did not exist.
    std::optional<IndexPath> back(IndexPath path) const
    {
        return follow(path, has_new(), new_path(), has_old(), old_path());
    }

  private:
    std::optional<IndexPath> follow(IndexPath path, bool leaves, IndexPath from, bool arrives, IndexPath to) const
    {
        if (is_sections()) {
            if (!follow(path.section, leaves, from.section, arrives, to.section)) {
                return std::nullopt;
            }
            return path;
        }
        if (leaves && path.section == from.section && path.row >= from.row && path.row < from.row + count()) {
            if (!arrives) {
                return std::nullopt;
            }
            return IndexPath(to.section, to.row + path.row - from.row);
        }
        if (leaves && path.section == from.section && path.row >= from.row) {
            path.row -= count();
        }
        if (arrives && path.section == to.section && path.row >= to.row) {
            path.row += count();
        }
        return path;
    }
    bool follow(std::int64_t &number, bool leaves, std::int64_t from, bool arrives, std::int64_t to) const
    {
        if (leaves && number >= from && number < from + count()) {
            number += to - from;
            return arrives;
        }
        if (leaves && number >= from) {
            number -= count();
        }
        if (arrives && number >= to) {
            number += count();
        }
        return true;
    }

    ChangeSet steps_;
    fr_range range_;
};

// Whether a change set has more steps than `limit`, as its runs show: a run is one step, except for
// moves, which are one step each. Its steps take more memory than a list of a million rows.
inline bool has_more_steps(const ChangeSet &changes, std::int64_t limit)
{
    std::int64_t count = 0;
    // Where the last run of updates ends, which the next one can continue.
    IndexPath end(-1, -1);
    for (const fr_range &run : changes.ranges()) {
        if (run.kind == FR_SECTION) {
            continue;
        }
        const bool is_update = run.type == FR_UPDATE;
        if (!is_update || IndexPath(run.new_path) != end) {
            count += run.type == FR_MOVE ? run.count : 1;
        }
        end = is_update ? IndexPath(run.new_path.section, run.new_path.row + run.count) : IndexPath(-1, -1);
        if (count > limit) {
            return true;
        }
    }
    return false;
}

// The steps of a change set; nothing if there are more than `limit`. Negative: there is no limit.
inline std::optional<std::deque<Step>> steps_of(const ChangeSet &changes, int limit)
{
    std::deque<Step> steps;
    if (limit >= 0 && has_more_steps(changes, limit)) {
        return std::nullopt;
    }
    const ChangeSet sequential = changes.sequential();
    for (const fr_range &range : sequential.ranges()) {
        if (!steps.empty() && steps.back().join(range)) {
            continue;
        }
        if (limit >= 0 && steps.size() == static_cast<std::size_t>(limit)) {
            return std::nullopt;
        }
        steps.emplace_back(sequential, range);
    }
    return steps;
}

} // namespace fetchedresults::qt

#endif
