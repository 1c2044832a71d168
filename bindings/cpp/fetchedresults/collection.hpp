// Collections: several lists shown as one.
#ifndef FETCHEDRESULTS_COLLECTION_HPP
#define FETCHEDRESULTS_COLLECTION_HPP

#include "controller.hpp"

namespace fetchedresults {

// A section without objects: for itself, or in the place of a list that has no sections.
class Placeholder {
  public:
    explicit Placeholder(const std::optional<std::string> &name = {},
                         const std::optional<std::string> &index_title = {})
        : placeholder_(detail::get(fr_placeholder_new, detail::Text(name), detail::Text(index_title)))
    {
    }
    fr_placeholder *handle() const noexcept { return placeholder_.get(); }

    void set_name(const std::optional<std::string> &name)
    {
        detail::call(fr_placeholder_set_name, handle(), detail::Text(name));
    }
    void set_index_title(const std::optional<std::string> &title)
    {
        detail::call(fr_placeholder_set_index_title, handle(), detail::Text(title));
    }
    std::optional<std::string_view> name() const { return detail::view(detail::get(fr_placeholder_name, handle())); }

  private:
    detail::Owned<fr_placeholder, fr_placeholder_free> placeholder_;
};

// A list of lists. A child lives on in it when the program frees its own handle.
class Collection : public List {
  public:
    Collection() : List(detail::get(fr_collection_new)) {}

    // empty: what is shown while the list has no sections. An index of -1 appends.
    void insert(std::int64_t index, const ListRef &child)
    {
        detail::call(fr_collection_insert, list_, index, child.handle(), nullptr);
    }
    void insert(std::int64_t index, const ListRef &child, const Placeholder &empty)
    {
        detail::call(fr_collection_insert, list_, index, child.handle(), empty.handle());
    }
    void insert(std::int64_t index, const Placeholder &placeholder)
    {
        detail::call(fr_collection_insert_placeholder, list_, index, placeholder.handle());
    }
    template <typename... Parts> void append(const Parts &...parts) { insert(-1, parts...); }

    void replace(std::int64_t index, const ListRef &child)
    {
        detail::call(fr_collection_replace, list_, index, child.handle(), nullptr);
    }
    void replace(std::int64_t index, const ListRef &child, const Placeholder &empty)
    {
        detail::call(fr_collection_replace, list_, index, child.handle(), empty.handle());
    }
    void replace(std::int64_t index, const Placeholder &placeholder)
    {
        detail::call(fr_collection_replace_with_placeholder, list_, index, placeholder.handle());
    }
    void replace(const ListRef &old, const ListRef &child)
    {
        detail::call(fr_collection_replace_child, list_, old.handle(), child.handle(), nullptr);
    }
    void replace(const ListRef &old, const ListRef &child, const Placeholder &empty)
    {
        detail::call(fr_collection_replace_child, list_, old.handle(), child.handle(), empty.handle());
    }
    void remove(std::int64_t index) { detail::call(fr_collection_remove, list_, index); }

    // Whether a list without sections that was inserted without a placeholder is one empty section.
    void set_shows_empty_lists(bool shows_empty_lists)
    {
        detail::call(fr_collection_set_shows_empty_lists, list_, shows_empty_lists);
    }
    bool shows_empty_lists() const { return detail::get(fr_collection_shows_empty_lists, list_); }

    std::int64_t child_count() const { return detail::get(fr_collection_child_count, list_); }
    // Nothing for a placeholder.
    std::optional<ListRef> child(std::int64_t index) const
    {
        fr_list *child = detail::get(fr_collection_child, list_, index);
        return child != nullptr ? std::optional<ListRef>(std::in_place, child) : std::nullopt;
    }
    std::optional<std::int64_t> index_of_child(const ListRef &child) const
    {
        return detail::find(fr_collection_index_of, list_, child.handle());
    }
    std::optional<std::int64_t> child_of_section(std::int64_t section) const
    {
        return detail::find(fr_collection_child_of_section, list_, section);
    }
};

} // namespace fetchedresults

#endif
