// Index paths, change records and change sets.
#ifndef FETCHEDRESULTS_CHANGES_HPP
#define FETCHEDRESULTS_CHANGES_HPP

#include <tuple>

#include "object.hpp"

namespace fetchedresults {

// A place in a list, from 0. The row of a section's own place is -1.
struct IndexPath {
    std::int64_t section = 0;
    std::int64_t row = 0;

    constexpr IndexPath() noexcept = default;
    constexpr IndexPath(std::int64_t section_, std::int64_t row_) noexcept : section(section_), row(row_) {}
    constexpr IndexPath(const fr_index_path &path) noexcept : section(path.section), row(path.row) {}
    constexpr operator fr_index_path() const noexcept { return fr_index_path{section, row}; }

    friend bool operator==(IndexPath a, IndexPath b) noexcept { return a.section == b.section && a.row == b.row; }
    friend bool operator!=(IndexPath a, IndexPath b) noexcept { return !(a == b); }
    friend bool operator<(IndexPath a, IndexPath b) noexcept
    {
        return std::tie(a.section, a.row) < std::tie(b.section, b.row);
    }
};

enum class ChangeKind { section = FR_SECTION, object = FR_OBJECT };
enum class ChangeType { inserted = FR_INSERT, deleted = FR_DELETE, moved = FR_MOVE, updated = FR_UPDATE };

// One change. It borrows from its change set, and is valid as long as that.
class Change {
  public:
    Change(fr_change_set *changes, const fr_change &change) noexcept : changes_(changes), change_(change) {}

    ChangeKind kind() const noexcept { return static_cast<ChangeKind>(change_.kind); }
    ChangeType type() const noexcept { return static_cast<ChangeType>(change_.type); }
    bool is_section() const noexcept { return change_.kind == FR_SECTION; }
    const fr_change &raw() const noexcept { return change_; }
    std::size_t index() const noexcept { return static_cast<std::size_t>(change_.index); }
    // Where it was before the delivery; nothing for an insert.
    std::optional<IndexPath> old_path() const noexcept { return path(change_.old_path); }
    // Where it is after all of the delivery; nothing for a delete.
    std::optional<IndexPath> new_path() const noexcept { return path(change_.new_path); }

    // The row in its new state, or its last known one.
    Object object() const { return detail::object(fr_change_set_object, changes_, index()); }
    std::vector<Value> identity() const
    {
        const fr_value *values = nullptr;
        std::size_t count = 0;
        detail::call(fr_change_set_identity, &values, &count, changes_, index());
        std::vector<Value> identity;
        for (std::size_t i = 0; i < count; i++) {
            identity.emplace_back(values[i]);
        }
        return identity;
    }
    bool column_changed(std::int64_t column) const
    {
        return detail::get(fr_change_set_column_changed, changes_, index(), column);
    }
    // The name of a shown column; of a section its totals follow its own columns.
    std::string_view column_name(std::int64_t column) const
    {
        return detail::get(fr_change_set_column_name, changes_, index(), column);
    }
    // What a shown column held before; nothing where that is not known.
    std::optional<Value> old_value(std::int64_t column) const
    {
        const auto value = detail::find(fr_change_set_old_value, changes_, index(), column);
        return value ? std::optional<Value>(std::in_place, *value) : std::nullopt;
    }
    std::optional<std::string_view> section_name() const
    {
        return detail::view(detail::get(fr_change_set_section_name, changes_, index()));
    }
    std::optional<std::string_view> old_section_name() const
    {
        return detail::view(detail::get(fr_change_set_old_section_name, changes_, index()));
    }
    // The row of the section, in a section map.
    std::optional<Object> section_object() const
    {
        return detail::find_object(fr_change_set_section_object, changes_, index());
    }

  private:
    static std::optional<IndexPath> path(const fr_index_path &path) noexcept
    {
        return path.section >= 0 ? std::optional<IndexPath>(path) : std::nullopt;
    }

    fr_change_set *changes_;
    fr_change change_;
};

// Records that stand one after another in a change set, to loop over. They borrow from it, and each
// is read when the loop gets to it.
class Changes {
  public:
    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Change;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Change;

        Iterator(fr_change_set *changes, std::size_t index) noexcept : changes_(changes), index_(index) {}
        Change operator*() const { return read(changes_, index_); }
        Iterator &operator++() noexcept
        {
            ++index_;
            return *this;
        }
        friend bool operator==(Iterator a, Iterator b) noexcept { return a.index_ == b.index_; }
        friend bool operator!=(Iterator a, Iterator b) noexcept { return a.index_ != b.index_; }

      private:
        fr_change_set *changes_;
        std::size_t index_;
    };

    Changes(fr_change_set *changes, std::size_t first, std::size_t count) noexcept
        : changes_(changes), first_(first), count_(count)
    {
    }
    Iterator begin() const noexcept { return {changes_, first_}; }
    Iterator end() const noexcept { return {changes_, first_ + count_}; }
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    Change operator[](std::size_t index) const { return read(changes_, first_ + index); }

  private:
    static Change read(fr_change_set *changes, std::size_t index)
    {
        fr_change change = {};
        std::size_t count = 1;
        detail::call(fr_change_set_read, &change, &count, changes, index);
        return {changes, change};
    }

    fr_change_set *changes_;
    std::size_t first_;
    std::size_t count_;
};

// A counted reference to everything that one delivery changed in one list. It outlives its list and
// store.
class ChangeSet {
  public:
    explicit ChangeSet(fr_change_set *owned) noexcept : changes_(owned) {}
    static ChangeSet borrowed(fr_change_set *changes) noexcept { return ChangeSet(fr_change_set_ref(changes)); }

    ChangeSet(const ChangeSet &other) noexcept : changes_(fr_change_set_ref(other.changes_)) {}
    ChangeSet(ChangeSet &&other) noexcept : changes_(std::exchange(other.changes_, nullptr)) {}
    ChangeSet &operator=(ChangeSet other) noexcept
    {
        std::swap(changes_, other.changes_);
        return *this;
    }
    ~ChangeSet() { fr_change_set_unref(changes_); }

    fr_change_set *handle() const noexcept { return changes_; }
    // Whether the list is to be shown from scratch; there are no records then.
    bool is_reload() const { return detail::get(fr_change_set_is_reload, changes_); }
    // What caused the changes: flags FR_ORIGIN_...
    std::uint32_t origin() const { return detail::get(fr_change_set_origin, changes_); }
    // The totals that differ, of the list and of its sections.
    detail::Span<fr_total_change> totals() const &
    {
        const fr_total_change *first = nullptr;
        std::size_t count = 0;
        detail::call(fr_change_set_totals, &first, &count, changes_);
        return {first, count};
    }
    // Where a window is after these changes of it; nothing for another list, and for a reload.
    std::optional<fr_window_place> window_place() const { return detail::find(fr_change_set_window_place, changes_); }

    Changes records() const & { return {changes_, 0, size()}; }
    Changes records() const && = delete;
    Changes::Iterator begin() const & { return {changes_, 0}; }
    Changes::Iterator end() const & { return records().end(); }
    std::size_t size() const & { return detail::get(fr_change_set_count, changes_); }
    Change operator[](std::size_t index) const & { return *Changes::Iterator(changes_, index); }
    // The records of one kind and type.
    Changes group(ChangeKind kind, ChangeType type) const &
    {
        const fr_change *first = nullptr;
        std::size_t count = 0;
        detail::call(fr_change_set_group, &first, &count, changes_, static_cast<std::int32_t>(kind),
                     static_cast<std::int32_t>(type));
        return {changes_, first == nullptr ? 0 : static_cast<std::size_t>(first->index), count};
    }

    // The same as steps, each of which counts in the list that the one before it left.
    ChangeSet sequential() const { return ChangeSet(detail::get(fr_change_set_sequential, changes_)); }
    // The records, or the steps of a sequential change set, in runs.
    detail::Span<fr_range> ranges() const &
    {
        const fr_range *first = nullptr;
        std::size_t count = 0;
        detail::call(fr_change_set_ranges, &first, &count, changes_);
        return {first, count};
    }
    // What becomes of a list whose sections have these numbers of rows; borrowed until it is called
    // again.
    detail::Span<fr_replayed_section> replay(const std::vector<std::int64_t> &row_counts) const &
    {
        const fr_replayed_section *first = nullptr;
        std::size_t count = 0;
        detail::call(fr_change_set_replay, &first, &count, changes_, row_counts.data(), row_counts.size());
        return {first, count};
    }

  private:
    fr_change_set *changes_;
};

} // namespace fetchedresults

#endif
