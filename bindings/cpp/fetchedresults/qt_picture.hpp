// The structure that a model for Qt shows: it goes from the old list to the new one step by step.
#ifndef FETCHEDRESULTS_QT_PICTURE_HPP
#define FETCHEDRESULTS_QT_PICTURE_HPP

#include <numeric>

#include <QtGlobal>

#include "qt_relocation.hpp"

namespace fetchedresults::qt {

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
    // The number of rows of each section that lift has removed, which the next step inserts.
    std::vector<std::int64_t> lifted;
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
        lifted.clear();
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
        apply(step);
        lifted.clear();
    }
    // Does the first half of the next step, a move: removes its rows. The second half is next then.
    void lift()
    {
        const Step move = ahead.front();
        apply(move.leaving());
        ahead.front() = move.arriving();
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
    void apply(const Step &step)
    {
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
        std::vector<std::int64_t> moved_counts = std::exchange(lifted, {});
        moved_counts.resize(static_cast<std::size_t>(step.count()));
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
        } else {
            lifted = std::move(moved_counts);
        }
    }
    std::int64_t count(std::int64_t section) const { return counts[static_cast<std::size_t>(section)]; }

    quintptr last_id_ = 0;
};

} // namespace fetchedresults::qt

#endif
