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

} // namespace fetchedresults::qt

#endif
