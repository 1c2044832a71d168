// A change of the order alone: where each row is after it.
#ifndef FETCHEDRESULTS_QT_RELOCATION_HPP
#define FETCHEDRESULTS_QT_RELOCATION_HPP

#include <algorithm>
#include <map>

#include "qt_steps.hpp"

namespace fetchedresults::qt {

// The moves of rows inside their sections, done together. No row is inserted or deleted.
class Relocation {
  public:
    // The relocation that a change set is; nothing if it is more than that.
    static std::optional<Relocation> of(const ChangeSet &changes)
    {
        Relocation relocation;
        std::map<std::int64_t, std::int64_t> counts;
        for (const fr_range &run : changes.ranges()) {
            if (run.kind == FR_OBJECT && run.type == FR_MOVE) {
                counts[run.new_path.section] += run.count;
            }
        }
        std::map<std::int64_t, Places> moved;
        // Vectors that grow would take three times the memory.
        for (const auto &[section, count] : counts) {
            moved[section].reserve(static_cast<std::size_t>(count));
        }
        for (const Change change : changes) {
            const auto from = change.old_path(), to = change.new_path();
            if (!from || !to || from->section != to->section
                || (change.is_section() && change.type() != ChangeType::updated)) {
                return std::nullopt;
            }
            if (change.is_section()) {
                relocation.sections.push_back(to->section);
                continue;
            }
            if (change.type() == ChangeType::moved) {
                moved[from->section].emplace_back(static_cast<int>(from->row), static_cast<int>(to->row));
            }
            if (changes_content(change)) {
                const auto content = relocation.content.try_emplace(to->section, to->row, to->row).first;
                content->second.first = std::min(content->second.first, to->row);
                content->second.second = std::max(content->second.second, to->row);
            }
        }
        for (auto &[section, places] : moved) {
            relocation.forth_.emplace(section, Rows(std::move(places)));
        }
        return relocation;
    }

    IndexPath follow(IndexPath path) const
    {
        const auto found = forth_.find(path.section);
        return found == forth_.end() ? path : IndexPath(path.section, found->second.follow(path.row));
    }
    IndexPath back(IndexPath path) const
    {
        const auto found = forth_.find(path.section);
        if (found == forth_.end()) {
            return path;
        }
        auto back = back_.find(path.section);
        if (back == back_.end()) {
            back = back_.emplace(path.section, found->second.reversed()).first;
        }
        return {path.section, back->second.follow(path.row)};
    }

    // For each section the first and the last row that may show something else after the change.
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> content;
    // The sections that may show something else themselves.
    std::vector<std::int64_t> sections;

  private:
    // Where rows leave, each with the place at which it arrives. Qt counts rows as int.
    using Places = std::vector<std::pair<int, int>>;

    // The rows of one section that move.
    class Rows {
      public:
        explicit Rows(Places moved) : moved_(std::move(moved))
        {
            std::sort(moved_.begin(), moved_.end());
            arriving_.reserve(moved_.size());
            for (const auto &place : moved_) {
                arriving_.push_back(place.second);
            }
            std::sort(arriving_.begin(), arriving_.end());
            // The others take the places where no row arrives, in their order.
            int number = 0;
            for (int &row : arriving_) {
                row -= number++;
            }
        }
        std::int64_t follow(std::int64_t row) const
        {
            const auto leaves_before = [](const auto &place, std::int64_t bound) { return place.first < bound; };
            const auto found = std::lower_bound(moved_.begin(), moved_.end(), row, leaves_before);
            if (found != moved_.end() && found->first == row) {
                return found->second;
            }
            const std::int64_t rank = row - (found - moved_.begin());
            return rank + (std::upper_bound(arriving_.begin(), arriving_.end(), rank) - arriving_.begin());
        }

        Rows reversed() const
        {
            Places back;
            back.reserve(moved_.size());
            for (const auto &[from, to] : moved_) {
                back.emplace_back(to, from);
            }
            return Rows(std::move(back));
        }

      private:
        Places moved_; // ascending
        std::vector<int> arriving_; // ascending, each less the number of those before it
    };

    std::map<std::int64_t, Rows> forth_;
    // Made when they are asked for.
    mutable std::map<std::int64_t, Rows> back_;
};

} // namespace fetchedresults::qt

#endif
