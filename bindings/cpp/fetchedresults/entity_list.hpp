// Entity lists: all that it takes to show the rows of an entity, from its name and an order.
#ifndef FETCHEDRESULTS_ENTITY_LIST_HPP
#define FETCHEDRESULTS_ENTITY_LIST_HPP

#include "controller.hpp"
#include "coordinator.hpp"

namespace fetchedresults {

// What an entity list shows; see fr_entity. Its default for making a list stays.
struct Entity {
    std::string entity{};
    // Key paths, with FR_DESCENDING and so on.
    std::vector<std::pair<std::string, std::uint32_t>> sorts{};
    std::int64_t batch_size = 0;
    std::uint32_t view_flags = 0;
    // In place of INSERT and DELETE. For a row that is sent elsewhere, for example to a server,
    // add_item returns nothing, and delete_item calls EntityList::set_pending.
    std::function<std::optional<Object>(const NamedValues &)> add_item{};
    std::function<void(const Object &)> delete_item{};
};

namespace detail {

// The functions of an entity that C calls.
struct EntityCalls : View {
    static const EntityCalls &of(void *user_data) noexcept
    {
        return static_cast<const EntityCalls &>(ViewCalls::of(user_data));
    }
    // What the function throws reaches the call that needed it.
    template <typename Function> static fr_status attempt(Function &&function) noexcept
    {
        fr_status status = FR_ERROR;
        guard([&] {
            function();
            status = FR_OK;
        });
        return status;
    }
    static fr_status call_add_item(fr_object **out, fr_store *, const char *const *columns, const fr_value *values,
                                   std::size_t count, void *user_data)
    {
        return attempt([&] {
            const std::optional<Object> added = of(user_data).add_item(NamedValues(columns, values, count));
            *out = added ? fr_object_ref(added->handle()) : nullptr;
        });
    }
    static fr_status call_delete_item(fr_store *, fr_object *item, void *user_data)
    {
        return attempt([&] { of(user_data).delete_item(Object::borrowed(item)); });
    }

    std::function<std::optional<Object>(const NamedValues &)> add_item;
    std::function<void(const Object &)> delete_item;
};

} // namespace detail

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
    // Nothing if Entity::add_item sent the row elsewhere.
    std::optional<Object> add_item(const NamedValues &values = {})
    {
        fr_object *added = detail::get(fr_entity_list_add_item, handle(), values.names(), values.values(),
                                       values.size());
        return added != nullptr ? std::optional<Object>(std::in_place, added) : std::nullopt;
    }
    void delete_item(IndexPath path) { detail::call(fr_entity_list_delete_item, handle(), fr_index_path(path)); }
    // Marks a row for which an edit was sent elsewhere, or ends that, because the edit was refused.
    void set_pending(const Object &object, bool is_pending = true)
    {
        detail::call(fr_entity_list_set_pending, handle(), object.handle(), is_pending);
    }
    bool is_pending(const Object &object) const
    {
        return detail::get(fr_entity_list_is_pending, handle(), object.handle());
    }

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
        entity.add_item = from.add_item ? detail::EntityCalls::call_add_item : nullptr;
        entity.delete_item = from.delete_item ? detail::EntityCalls::call_delete_item : nullptr;
        return detail::get(
            fr_entity_list_new, &entity, &calls, nullptr,
            detail::Passed<detail::EntityCalls>(detail::EntityCalls{std::move(view), from.add_item, from.delete_item}),
            &detail::destroy<detail::EntityCalls>);
    }

    detail::Owned<fr_entity_list, fr_entity_list_free> list_;
};

} // namespace fetchedresults

#endif
