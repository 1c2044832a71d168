// Entity lists: all that it takes to show the rows of an entity, from its name and an order.
#ifndef FETCHEDRESULTS_ENTITY_LIST_HPP
#define FETCHEDRESULTS_ENTITY_LIST_HPP

#include "controller.hpp"
#include "coordinator.hpp"

namespace fetchedresults {

// What an entity list shows; see fr_entity. Its defaults for making a list, adding and deleting
// stay.
struct Entity {
    std::string entity{};
    // Key paths, with FR_DESCENDING and so on.
    std::vector<std::pair<std::string, std::uint32_t>> sorts{};
    std::int64_t batch_size = 0;
    std::uint32_t view_flags = 0;
};

// The list of an entity with request, controller, coordinator and data source. Without a store it
// shows nothing.
class EntityList {
  public:
    explicit EntityList(const Entity &entity, View view = {}) : list_(make(entity, std::move(view))) {}
    fr_entity_list *handle() const noexcept { return list_.get(); }

    // Takes a store, fetches from it, and has the view reload.
    void set_store(const Store &store) { detail::call(fr_entity_list_set_store, handle(), store.handle()); }
    void remove_store() { detail::call(fr_entity_list_set_store, handle(), nullptr); }
    // What it shows; nothing without a store.
    std::optional<ListRef> list() const
    {
        const auto list = detail::find(fr_entity_list_list, handle());
        return list ? std::optional<ListRef>(std::in_place, *list) : std::nullopt;
    }
    Object add_item(const NamedValues &values = {})
    {
        return detail::object(fr_entity_list_add_item, handle(), values.names(), values.values(), values.size());
    }
    void delete_item(IndexPath path) { detail::call(fr_entity_list_delete_item, handle(), fr_index_path(path)); }

  private:
    static fr_entity_list *make(const Entity &from, View view)
    {
        const fr_view calls = detail::ViewCalls::make(view);
        std::vector<fr_sort> sorts;
        for (const auto &[key_path, flags] : from.sorts) {
            sorts.push_back(fr_sort{key_path.c_str(), flags, nullptr});
        }
        fr_entity entity{};
        entity.struct_size = sizeof entity;
        entity.entity = from.entity.c_str();
        entity.sorts = sorts.data();
        entity.sort_count = sorts.size();
        entity.batch_size = from.batch_size;
        entity.view_flags = from.view_flags;
        return detail::get(fr_entity_list_new, &entity, &calls, nullptr, detail::Passed<View>(std::move(view)),
                           &detail::destroy<View>);
    }

    detail::Owned<fr_entity_list, fr_entity_list_free> list_;
};

} // namespace fetchedresults

#endif
