// The structure that a model for Qt shows: it goes from the old list to the new one step by step.
#ifndef FETCHEDRESULTS_QT_PICTURE_HPP
#define FETCHEDRESULTS_QT_PICTURE_HPP

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

#include "list.hpp"

namespace fetchedresults::qt {

// Whether the row or section of a record may show something else.
inline bool changes_content(const Change &change)
{
    if (change.type() != ChangeType::moved) {
        return change.type() == ChangeType::updated;
    }
    if (!change.is_section() && change.old_path()->section != change.new_path()->section) {
        return true;
    }
    try {
        const auto object = change.is_section() ? change.section_object() : change.object();
        const std::int64_t count = object ? object->column_count() : 0;
        for (std::int64_t column = 0; column < count; column++) {
            if (change.column_changed(column)) {
                return true;
            }
        }
        return false;
    } catch (const Error &) {
        // The row is not known any more.
        return true;
    }
}

// A run of equal changes of adjacent rows or sections. The row of a section's place is -1.
class Step {
  public:
    Step(ChangeSet steps, const fr_range &range) : steps_(std::move(steps)), range_(range) {}

    ChangeType type() const noexcept { return static_cast<ChangeType>(range_.type); }
    bool is_sections() const noexcept { return range_.kind == FR_SECTION; }
    bool has_old() const noexcept { return range_.old_path.section >= 0; }
    bool has_new() const noexcept { return range_.new_path.section >= 0; }
    // The first one's place before the step, and its place after it, counted without the run.
    IndexPath old_path() const noexcept { return range_.old_path; }
    IndexPath new_path() const noexcept { return range_.new_path; }
    std::int64_t count() const noexcept { return range_.count; }

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
        const std::int64_t place = type() == ChangeType::deleted ? range_.count - 1 - offset : offset;
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

// The steps of a change set.
inline std::deque<Step> steps_of(const ChangeSet &changes)
{
    std::deque<Step> steps;
    const ChangeSet sequential = changes.sequential();
    for (const fr_range &range : sequential.ranges()) {
        if (steps.empty() || !steps.back().join(range)) {
            steps.emplace_back(sequential, range);
        }
    }
    return steps;
}

// The moves of rows inside their sections, done together. No row is inserted or deleted.
class Relocation {
  public:
    // The relocation that a change set is; nothing if it is more than that.
    static std::optional<Relocation> of(const ChangeSet &changes)
    {
        Relocation relocation;
        std::map<std::int64_t, std::map<std::int64_t, std::int64_t>> moved;
        for (const Change change : changes) {
            const auto from = change.old_path(), to = change.new_path();
            if (change.is_section() || !from || !to || from->section != to->section) {
                return std::nullopt;
            }
            if (change.type() == ChangeType::moved) {
                moved[from->section][from->row] = to->row;
            }
            if (changes_content(change)) {
                const auto content = relocation.content.try_emplace(to->section, to->row, to->row).first;
                content->second.first = std::min(content->second.first, to->row);
                content->second.second = std::max(content->second.second, to->row);
            }
        }
        for (const auto &[section, rows] : moved) {
            std::map<std::int64_t, std::int64_t> back;
            for (const auto &[from, to] : rows) {
                back[to] = from;
            }
            relocation.forth_.emplace(section, Rows(rows));
            relocation.back_.emplace(section, Rows(back));
        }
        return relocation;
    }

    IndexPath follow(IndexPath path) const { return follow(forth_, path); }
    IndexPath back(IndexPath path) const { return follow(back_, path); }

    // For each section the first and the last row that may show something else after the change.
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> content;

  private:
    // The rows of one section that leave their places, and the places at which they arrive.
    class Rows {
      public:
        explicit Rows(std::map<std::int64_t, std::int64_t> moved) : moved_(std::move(moved))
        {
            for (const auto &[from, to] : moved_) {
                leaving_.push_back(from);
                arriving_.push_back(to);
            }
            std::sort(arriving_.begin(), arriving_.end());
            // The others take the places where no row arrives, in their order.
            std::int64_t number = 0;
            for (std::int64_t &row : arriving_) {
                row -= number++;
            }
        }
        std::int64_t follow(std::int64_t row) const
        {
            if (const auto found = moved_.find(row); found != moved_.end()) {
                return found->second;
            }
            const std::int64_t rank = row
                                      - (std::lower_bound(leaving_.begin(), leaving_.end(), row) - leaving_.begin());
            return rank + (std::upper_bound(arriving_.begin(), arriving_.end(), rank) - arriving_.begin());
        }

      private:
        std::map<std::int64_t, std::int64_t> moved_;
        std::vector<std::int64_t> leaving_, arriving_;
    };

    static IndexPath follow(const std::map<std::int64_t, Rows> &sections, IndexPath path)
    {
        const auto found = sections.find(path.section);
        return found == sections.end() ? path : IndexPath(path.section, found->second.follow(path.row));
    }

    std::map<std::int64_t, Rows> forth_, back_;
};

// The number of rows of each section, and the steps that are still to be done to reach the state of
// the list. A place in the picture is found in the list by following it through the steps ahead.
class Picture {
  public:
    std::vector<std::int64_t> counts;
    // What identifies each section for the life of the model, wherever it is; never 0.
    std::vector<quintptr> ids;
    std::deque<Step> ahead;
    // What is ahead in place of steps, if all moves are shown together.
    std::optional<Relocation> relocation;
    // The places are not valid any more, since the list is to be shown from scratch.
    bool is_stale = false;

    void reset(std::vector<std::int64_t> new_counts)
    {
        counts = std::move(new_counts);
        ids.clear();
        for (std::size_t i = 0; i < counts.size(); i++) {
            ids.push_back(++last_id_);
        }
        ahead.clear();
        relocation.reset();
        is_stale = false;
        generation++;
    }
    // Differs after each reset.
    std::uint64_t generation = 0;

    std::int64_t total() const { return offset(static_cast<std::int64_t>(counts.size())); }
    // The number of rows in the sections before one.
    std::int64_t offset(std::int64_t section) const
    {
        return std::accumulate(counts.begin(), counts.begin() + section, std::int64_t(0));
    }
    IndexPath path_at(std::int64_t index) const
    {
        std::int64_t section = 0;
        while (index >= counts[static_cast<std::size_t>(section)]) {
            index -= counts[static_cast<std::size_t>(section++)];
        }
        return {section, index};
    }
    std::int64_t section_of(quintptr id) const
    {
        const auto found = std::find(ids.begin(), ids.end(), id);
        return found == ids.end() ? -1 : found - ids.begin();
    }

    // Whether a step can be done: whether the picture is of the list that changed.
    bool fits(const Step &step) const
    {
        const auto sections = static_cast<std::int64_t>(counts.size());
        const IndexPath from = step.old_path(), to = step.new_path();
        if (step.is_sections()) {
            return (!step.has_old() || from.section + step.count() <= sections)
                   && (!step.has_new() || to.section <= sections - (step.has_old() ? step.count() : 0));
        }
        if ((step.has_old() && (from.section >= sections || from.row + step.count() > count(from.section)))
            || (step.has_new() && to.section >= sections)) {
            return false;
        }
        const bool stays = step.has_old() && from.section == to.section;
        return !step.has_new() || to.row <= count(to.section) - (stays ? step.count() : 0);
    }

    // Does the next step.
    void take()
    {
        const Step step = std::move(ahead.front());
        ahead.pop_front();
        if (step.type() == ChangeType::updated) {
            return;
        }
        if (!step.is_sections()) {
            if (step.has_old()) {
                counts[static_cast<std::size_t>(step.old_path().section)] -= step.count();
            }
            if (step.has_new()) {
                counts[static_cast<std::size_t>(step.new_path().section)] += step.count();
            }
            return;
        }
        std::vector<std::int64_t> moved_counts(static_cast<std::size_t>(step.count()));
        std::vector<quintptr> moved_ids;
        if (step.has_old()) {
            const std::int64_t first = step.old_path().section, last = first + step.count();
            moved_counts.assign(counts.begin() + first, counts.begin() + last);
            moved_ids.assign(ids.begin() + first, ids.begin() + last);
            counts.erase(counts.begin() + first, counts.begin() + last);
            ids.erase(ids.begin() + first, ids.begin() + last);
        } else {
            for (std::int64_t i = 0; i < step.count(); i++) {
                moved_ids.push_back(++last_id_);
            }
        }
        if (step.has_new()) {
            counts.insert(counts.begin() + step.new_path().section, moved_counts.begin(), moved_counts.end());
            ids.insert(ids.begin() + step.new_path().section, moved_ids.begin(), moved_ids.end());
        }
    }

    // Where a row or section of the picture is in the list. If it is there no more, calls a
    // function with the record of its deletion, and returns nothing.
    template <typename Gone> std::optional<IndexPath> follow(IndexPath path, Gone &&gone) const
    {
        if (relocation && path.row >= 0) {
            return relocation->follow(path);
        }
        for (const Step &step : ahead) {
            if (step.type() == ChangeType::updated || (path.row < 0 && !step.is_sections())) {
                continue;
            }
            const auto followed = step.follow(path);
            if (!followed) {
                const IndexPath from = step.old_path();
                gone(step.change(step.is_sections() ? path.section - from.section : path.row - from.row));
                return std::nullopt;
            }
            path = *followed;
        }
        return path;
    }
    // The place in the picture of a row of the list; nothing if it is not inserted yet.
    std::optional<IndexPath> back(IndexPath path) const
    {
        if (relocation) {
            return relocation->back(path);
        }
        for (auto step = ahead.rbegin(); step != ahead.rend(); ++step) {
            if (step->type() != ChangeType::updated) {
                const auto before = step->back(path);
                if (!before) {
                    return std::nullopt;
                }
                path = *before;
            }
        }
        return path;
    }

  private:
    std::int64_t count(std::int64_t section) const { return counts[static_cast<std::size_t>(section)]; }

    quintptr last_id_ = 0;
};

} // namespace fetchedresults::qt

#endif
