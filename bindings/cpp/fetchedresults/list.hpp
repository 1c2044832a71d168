// Lists: what controllers, section maps and collections have in common.
#ifndef FETCHEDRESULTS_LIST_HPP
#define FETCHEDRESULTS_LIST_HPP

#include <algorithm>
#include <iterator>

#include "identities.hpp"
#include "observer.hpp"

namespace fetchedresults {

namespace detail {

// Goes through the objects of a list, by their numbers over all sections.
class ObjectIterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using value_type = Object;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = Object;

    ObjectIterator(fr_list *list, std::int64_t index) noexcept : list_(list), index_(index) {}
    Object operator*() const { return object(fr_list_object_at, list_, get(fr_list_index_path_at, list_, index_)); }
    ObjectIterator &operator++() noexcept
    {
        ++index_;
        return *this;
    }
    friend bool operator==(ObjectIterator a, ObjectIterator b) noexcept { return a.index_ == b.index_; }
    friend bool operator!=(ObjectIterator a, ObjectIterator b) noexcept { return a.index_ != b.index_; }

  private:
    fr_list *list_;
    std::int64_t index_;
};

} // namespace detail

// A section of a list, to loop over. Valid until the list next changes.
class Section : public SectionInfo {
  public:
    Section(fr_list *list, std::int64_t index)
        : SectionInfo(detail::get(fr_list_section, list, index)), list_(list), index_(index)
    {
    }
    Object operator[](std::int64_t row) const
    {
        return detail::object(fr_list_object_at, list_, fr_index_path{index_, row});
    }
    // The row that the section stands for, in a section map.
    std::optional<Object> object() const { return detail::find_object(fr_list_section_object, list_, index_); }
    // The totals of its rows, as columns with their names.
    Object totals() const { return detail::object(fr_list_totals, list_, index_); }

    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Object;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Object;

        Iterator(fr_list *list, fr_index_path path) noexcept : list_(list), path_(path) {}
        Object operator*() const { return detail::object(fr_list_object_at, list_, path_); }
        Iterator &operator++() noexcept
        {
            ++path_.row;
            return *this;
        }
        friend bool operator==(Iterator a, Iterator b) noexcept { return a.path_.row == b.path_.row; }
        friend bool operator!=(Iterator a, Iterator b) noexcept { return a.path_.row != b.path_.row; }

      private:
        fr_list *list_;
        fr_index_path path_;
    };
    Iterator begin() const noexcept { return {list_, {index_, 0}}; }
    Iterator end() const noexcept { return {list_, {index_, size()}}; }

  private:
    fr_list *list_;
    std::int64_t index_;
};

// The sections of a list, to loop over. Valid until the list next changes.
class Sections {
  public:
    Sections(fr_list *list, std::int64_t count) noexcept : list_(list), count_(count) {}
    std::int64_t size() const noexcept { return count_; }
    Section operator[](std::int64_t index) const { return Section(list_, index); }

    class Iterator {
      public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Section;
        using difference_type = std::ptrdiff_t;
        using pointer = void;
        using reference = Section;

        Iterator(fr_list *list, std::int64_t index) noexcept : list_(list), index_(index) {}
        Section operator*() const { return Section(list_, index_); }
        Iterator &operator++() noexcept
        {
            ++index_;
            return *this;
        }
        friend bool operator==(Iterator a, Iterator b) noexcept { return a.index_ == b.index_; }
        friend bool operator!=(Iterator a, Iterator b) noexcept { return a.index_ != b.index_; }

      private:
        fr_list *list_;
        std::int64_t index_;
    };
    Iterator begin() const noexcept { return {list_, 0}; }
    Iterator end() const noexcept { return {list_, count_}; }

  private:
    fr_list *list_;
    std::int64_t count_;
};

// A list that someone else owns. It can be copied; a copy is the same list.
class ListRef {
  public:
    explicit ListRef(fr_list *list) noexcept : list_(list) {}
    fr_list *handle() const noexcept { return list_; }

    void fetch() { detail::call(fr_list_perform_fetch, list_); }
    // The same with a function that receives the number of rows so far, and returns false to
    // cancel.
    void fetch(std::function<bool(std::int64_t)> progress)
    {
        detail::call(fr_list_perform_fetch_with_progress, list_, &fetch_progress, &progress);
    }
    // Reads the list in the background; a dispatch shows it and calls `completion`, with what
    // failed or NULL.
    void fetch_async(std::function<void(const Error *)> completion, std::function<bool(std::int64_t)> progress = {})
    {
        detail::call(fr_list_perform_fetch_async, list_, progress ? &async_progress : nullptr, &async_completion,
                     detail::Passed<Async>(Async{std::move(completion), std::move(progress)}), &detail::destroy<Async>);
    }
    // False if no fetch is under way.
    bool cancel_fetch()
    {
        const fr_status status = detail::status_of(fr_list_cancel_fetch, list_);
        if (status != FR_OK && status != FR_NOT_FOUND) {
            throw Error::last();
        }
        return status == FR_OK;
    }
    bool is_fetched() const { return detail::get(fr_list_is_fetched, list_); }

    std::int64_t size() const { return detail::get(fr_list_count, list_); }
    bool empty() const { return size() == 0; }
    Object operator[](IndexPath path) const { return detail::object(fr_list_object_at, list_, fr_index_path(path)); }
    Object operator[](std::int64_t index) const { return (*this)[index_path_at(index)]; }
    detail::ObjectIterator begin() const noexcept { return {list_, 0}; }
    detail::ObjectIterator end() const { return {list_, size()}; }

    // The totals of the list, as columns with their names; of a collection over all its lists.
    Object totals() const { return detail::object(fr_list_totals, list_, std::int64_t{-1}); }

    Sections sections() const { return {list_, detail::get(fr_list_section_count, list_)}; }
    Section section(std::int64_t index) const { return Section(list_, index); }

    // The identity of the object at a path, whose row is not read. Texts are borrowed until the
    // next call.
    std::vector<Value> identity_at(IndexPath path) const
    {
        const fr_value *values = nullptr;
        std::size_t count = 0;
        detail::call(fr_list_identity_at, &values, &count, list_, fr_index_path(path));
        return std::vector<Value>(values, values + count);
    }

    // The identities of the rows with numbers from `start` to before `stop` over all sections. No
    // row is read.
    Identities identities(std::int64_t start = 0, std::int64_t stop = INT64_MAX) const
    {
        Identities found;
        const std::int64_t end = std::min(stop, size());
        if (start >= end) {
            return found;
        }
        fr_index_path path = index_path_at(start);
        for (auto left = static_cast<std::size_t>(end - start); left > 0;) {
            const fr_rows rows = detail::get(fr_list_identities, list_, path, left);
            found.append(rows);
            left -= rows.count;
            path = rows.paths[rows.count - 1];
            path.row++;
        }
        return found;
    }

    std::optional<IndexPath> index_path_of(const Object &object) const
    {
        return detail::find(fr_list_index_path_of, list_, object.handle());
    }
    std::optional<IndexPath> index_path_of(const Values &identity) const
    {
        return detail::find(fr_list_index_path_of_identity, list_, identity.data(), identity.size());
    }
    IndexPath index_path_at(std::int64_t index) const { return detail::get(fr_list_index_path_at, list_, index); }
    std::int64_t index_of(IndexPath path) const { return detail::get(fr_list_index_of, list_, fr_index_path(path)); }

    std::vector<std::string> index_titles() const
    {
        std::vector<std::string> titles;
        const std::int64_t count = detail::get(fr_list_index_title_count, list_);
        for (std::int64_t index = 0; index < count; index++) {
            titles.emplace_back(detail::get(fr_list_index_title, list_, index));
        }
        return titles;
    }
    std::optional<std::int64_t> section_for_index_title(std::string_view title, std::int64_t index) const
    {
        return detail::find(fr_list_section_for_index_title, list_, detail::Text(title), index);
    }

    // Has an observer notified until the observation ends.
    Observation observe(Observer observer) { return {list_, detail::add_observer(list_, std::move(observer))}; }
    // The same for a function that receives each change set.
    template <typename Function, std::enable_if_t<std::is_invocable_v<Function &, const ChangeSet &>, int> = 0>
    Observation observe(Function &&function)
    {
        Observer observer;
        observer.did_deliver = std::forward<Function>(function);
        return observe(std::move(observer));
    }

  protected:
    fr_list *list_;

  private:
    struct Async {
        std::function<void(const Error *)> completion;
        std::function<bool(std::int64_t)> progress;
    };

    static bool ask(const std::function<bool(std::int64_t)> &progress, std::int64_t rows) noexcept
    {
        bool goes_on = false;
        detail::guard([&] { goes_on = progress(rows); });
        return goes_on;
    }
    static bool fetch_progress(std::int64_t rows, void *user_data)
    {
        return ask(*static_cast<std::function<bool(std::int64_t)> *>(user_data), rows);
    }
    static bool async_progress(std::int64_t rows, void *user_data)
    {
        return ask(static_cast<Async *>(user_data)->progress, rows);
    }
    static void async_completion(fr_list *, const fr_error *error, void *user_data)
    {
        detail::guard([&] {
            const auto &completion = static_cast<Async *>(user_data)->completion;
            if (completion && error != nullptr) {
                const Error failure(*error);
                completion(&failure);
            } else if (completion) {
                completion(nullptr);
            }
        });
    }
};

// A list that is owned: it can be moved, and is freed with its observers.
class List : public ListRef {
  public:
    explicit List(fr_list *owned) noexcept : ListRef(owned) {}
    List(List &&other) noexcept : ListRef(std::exchange(other.list_, nullptr)) {}
    List &operator=(List &&other) noexcept
    {
        if (this != &other) {
            fr_list_free(std::exchange(list_, std::exchange(other.list_, nullptr)));
        }
        return *this;
    }
    ~List() { fr_list_free(list_); }
    // Frees the list, and reports a list with a cache name that can't be cached. The destructor
    // leaves that to the store's `close`.
    void close() { detail::call(fr_list_free, std::exchange(list_, nullptr)); }
};

} // namespace fetchedresults

#endif
