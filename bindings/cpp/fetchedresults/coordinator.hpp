// Coordinators: they keep a view of the program's own up to date with a list.
#ifndef FETCHEDRESULTS_COORDINATOR_HPP
#define FETCHEDRESULTS_COORDINATOR_HPP

#include <fetchedresults/views.h>

#include "list.hpp"

namespace fetchedresults {

// A view as functions; see fr_view for when each is called. Members may be empty. Arrays are
// borrowed during the call.
struct View {
    template <typename Element> using Span = detail::Span<Element>;

    std::function<void()> reload{};
    std::function<void()> begin{};
    std::function<void(Span<std::int64_t>)> delete_sections{};
    std::function<void(Span<std::int64_t>)> insert_sections{};
    std::function<void(Span<fr_section_places>)> move_sections{};
    std::function<void(Span<fr_index_path>)> delete_rows{};
    std::function<void(Span<fr_index_path>)> insert_rows{};
    std::function<void(Span<fr_row_places>)> move_rows{};
    std::function<void(Span<fr_row_places>)> reload_rows{};
    std::function<void(Span<fr_section_places>)> update_sections{};
    std::function<void()> end{};
    // A change, with the place of its row or section after all steps.
    std::function<void(const fr_change &, IndexPath)> step{};
    std::function<void(IndexPath, const Object &)> update_cell{};
    std::function<void(std::int64_t)> count_changed{};
    std::function<void(const Error &)> did_fail{};
};

namespace detail {

// The functions that C calls. Their user data is a View, or begins with one.
struct ViewCalls {
    static View &of(void *user_data) noexcept { return *static_cast<View *>(user_data); }

    template <std::function<void()> View::*member> static void plain(fr_coordinator *, void *user_data)
    {
        guard([&] { (of(user_data).*member)(); });
    }
    template <typename Element, std::function<void(Span<Element>)> View::*member>
    static void group(fr_coordinator *, const Element *first, std::size_t count, void *user_data)
    {
        guard([&] { (of(user_data).*member)(Span<Element>(first, count)); });
    }
    static void step(fr_coordinator *, const fr_change *step, fr_index_path final_path, void *user_data)
    {
        guard([&] { of(user_data).step(*step, final_path); });
    }
    static void update_cell(fr_coordinator *, fr_index_path path, fr_object *object, void *user_data)
    {
        guard([&] { of(user_data).update_cell(path, Object::borrowed(object)); });
    }
    static void count_changed(fr_coordinator *, std::int64_t count, void *user_data)
    {
        guard([&] { of(user_data).count_changed(count); });
    }
    static void did_fail(fr_coordinator *, const fr_error *error, void *user_data)
    {
        guard([&] { of(user_data).did_fail(Error(*error)); });
    }

    static fr_view make(const View &view)
    {
        fr_view calls{};
        calls.struct_size = sizeof calls;
        calls.reload = view.reload ? plain<&View::reload> : nullptr;
        calls.begin = view.begin ? plain<&View::begin> : nullptr;
        calls.delete_sections = view.delete_sections ? group<std::int64_t, &View::delete_sections> : nullptr;
        calls.insert_sections = view.insert_sections ? group<std::int64_t, &View::insert_sections> : nullptr;
        calls.move_sections = view.move_sections ? group<fr_section_places, &View::move_sections> : nullptr;
        calls.delete_rows = view.delete_rows ? group<fr_index_path, &View::delete_rows> : nullptr;
        calls.insert_rows = view.insert_rows ? group<fr_index_path, &View::insert_rows> : nullptr;
        calls.move_rows = view.move_rows ? group<fr_row_places, &View::move_rows> : nullptr;
        calls.reload_rows = view.reload_rows ? group<fr_row_places, &View::reload_rows> : nullptr;
        calls.update_sections = view.update_sections ? group<fr_section_places, &View::update_sections> : nullptr;
        calls.end = view.end ? plain<&View::end> : nullptr;
        calls.step = view.step ? step : nullptr;
        calls.update_cell = view.update_cell ? update_cell : nullptr;
        calls.count_changed = view.count_changed ? count_changed : nullptr;
        calls.did_fail = view.did_fail ? did_fail : nullptr;
        return calls;
    }
};

} // namespace detail

// What keeps one view up to date with one list. Nothing reaches the view before load_data.
class Coordinator {
  public:
    // flags: FR_VIEW_NO_ROW_MOVES, ...
    Coordinator(const ListRef &list, View view, std::uint32_t flags = 0)
        : coordinator_(make(list, std::move(view), flags))
    {
    }
    fr_coordinator *handle() const noexcept { return coordinator_.get(); }

    // Fetches the list, begins to follow it, and has the view reload.
    void load_data(bool fetch = true) { detail::call(fr_coordinator_load_data, handle(), fetch); }
    void set_paused(bool paused) { detail::call(fr_coordinator_set_paused, handle(), paused); }
    bool is_paused() const { return detail::get(fr_coordinator_is_paused, handle()); }
    bool is_loaded() const { return detail::get(fr_coordinator_is_loaded, handle()); }
    ListRef list() const { return ListRef(detail::get(fr_coordinator_list, handle())); }

  private:
    static fr_coordinator *make(const ListRef &list, View view, std::uint32_t flags)
    {
        const fr_view calls = detail::ViewCalls::make(view);
        return detail::get(fr_coordinator_new, list.handle(), &calls, flags, detail::Passed<View>(std::move(view)),
                           &detail::destroy<View>);
    }

    detail::Owned<fr_coordinator, fr_coordinator_free> coordinator_;
};

} // namespace fetchedresults

#endif
