// Data sources: what tables, grids and pickers ask about a list.
#ifndef FETCHEDRESULTS_DATA_SOURCE_HPP
#define FETCHEDRESULTS_DATA_SOURCE_HPP

#include <fetchedresults/views.h>

#include "list.hpp"

namespace fetchedresults {

// Where cells come from, and what they show; see fr_cells. The cells are the program's own. Members
// may be empty.
template <typename Cell> struct Cells {
    std::function<std::string(const Object &, IndexPath)> reuse_identifier{};
    std::function<Cell *(std::string_view, IndexPath)> dequeue{};
    std::function<Cell *(IndexPath)> visible_cell{};
    // The object is NULL in the blank row of a picker.
    std::function<void(Cell &, const Object *, IndexPath)> configure{};
};

namespace detail {

// The functions that C calls, with the cells that are their user data.
template <typename Cell> struct CellCalls {
    explicit CellCalls(Cells<Cell> functions) : cells(std::move(functions)) {}

    Cells<Cell> cells;
    std::string identifier{}; // the last one that was given, which the library copies

    static CellCalls &of(void *user_data) noexcept { return *static_cast<CellCalls *>(user_data); }

    static const char *reuse_identifier(fr_object *object, fr_index_path path, void *user_data)
    {
        const char *result = nullptr;
        guard([&] {
            CellCalls &calls = of(user_data);
            calls.identifier = calls.cells.reuse_identifier(Object::borrowed(object), path);
            result = calls.identifier.c_str();
        });
        return result;
    }
    static void *dequeue(const char *identifier, fr_index_path path, void *user_data)
    {
        void *cell = nullptr;
        guard([&] { cell = of(user_data).cells.dequeue(identifier, path); });
        return cell;
    }
    static void *visible_cell(fr_index_path path, void *user_data)
    {
        void *cell = nullptr;
        guard([&] { cell = of(user_data).cells.visible_cell(path); });
        return cell;
    }
    static void configure(void *cell, fr_object *object, fr_index_path path, void *user_data)
    {
        guard([&] {
            if (object != nullptr) {
                const Object shown = Object::borrowed(object);
                of(user_data).cells.configure(*static_cast<Cell *>(cell), &shown, path);
            } else {
                of(user_data).cells.configure(*static_cast<Cell *>(cell), nullptr, path);
            }
        });
    }

    static fr_cells make(const Cells<Cell> &cells)
    {
        fr_cells calls{};
        calls.struct_size = sizeof calls;
        calls.reuse_identifier = cells.reuse_identifier ? reuse_identifier : nullptr;
        calls.dequeue = cells.dequeue ? dequeue : nullptr;
        calls.visible_cell = cells.visible_cell ? visible_cell : nullptr;
        // Without one the library would take the cell for an fr_cell.
        calls.configure = cells.configure ? configure : [](void *, fr_object *, fr_index_path, void *) {};
        return calls;
    }
};

} // namespace detail

// What a view asks. It reads the list each time.
template <typename Cell = void *> class DataSource {
  public:
    explicit DataSource(const ListRef &list, Cells<Cell> cells = {})
        : source_(make(fr_data_source_new, std::move(cells), list.handle()))
    {
    }
    // All objects of a list as one section, with a first row that stands for no object if that is
    // wanted.
    static DataSource picker(const ListRef &list, bool blank_row, Cells<Cell> cells = {})
    {
        const fr_cells calls = Calls::make(cells);
        return DataSource(detail::get(fr_data_source_new_picker, list.handle(), blank_row, &calls,
                                      detail::Passed<Calls>(std::move(cells)), &detail::destroy<Calls>));
    }
    // Objects in a fixed order as one section.
    static DataSource array(const std::vector<Object> &objects, Cells<Cell> cells = {})
    {
        const std::vector<fr_object *> handles = handles_of(objects);
        const fr_cells calls = Calls::make(cells);
        return DataSource(detail::get(fr_data_source_new_array, handles.data(), handles.size(), &calls,
                                      detail::Passed<Calls>(std::move(cells)), &detail::destroy<Calls>));
    }
    fr_data_source *handle() const noexcept { return source_.get(); }

    std::int64_t section_count() const { return detail::get(fr_data_source_section_count, handle()); }
    std::int64_t row_count(std::int64_t section) const
    {
        return detail::get(fr_data_source_row_count, handle(), section);
    }
    // Nothing for the blank row of a picker.
    std::optional<Object> object_at(IndexPath path) const
    {
        return detail::find_object(fr_data_source_object_at, handle(), fr_index_path(path));
    }
    std::optional<IndexPath> index_path_of(const Object &object) const
    {
        return detail::find(fr_data_source_index_path_of, handle(), object.handle());
    }

    // A cell for a row, taken from the view and configured.
    Cell *cell(IndexPath path)
    {
        return static_cast<Cell *>(detail::get(fr_data_source_cell, handle(), fr_index_path(path)));
    }
    // Has the cell of a row configured again if it is in sight.
    void update_visible_cell(IndexPath path, const Object &object)
    {
        detail::call(fr_data_source_update_visible_cell, handle(), fr_index_path(path), object.handle());
    }

    void set_system_headers(bool value) { detail::call(fr_data_source_set_system_headers, handle(), value); }
    void set_table_index(bool value) { detail::call(fr_data_source_set_table_index, handle(), value); }
    // The header of all sections: "{name}: {unread} of {count} unread", with totals by name.
    void set_section_title_format(const std::optional<std::string> &format)
    {
        detail::call(fr_data_source_set_section_title_format, handle(), detail::Text(format));
    }
    void set_default_section_title(const std::optional<std::string> &title)
    {
        detail::call(fr_data_source_set_default_section_title, handle(), detail::Text(title));
    }
    std::optional<std::string_view> section_title(std::int64_t section) const
    {
        return detail::view(detail::get(fr_data_source_section_title, handle(), section));
    }
    std::vector<std::string> index_titles() const
    {
        std::vector<std::string> titles;
        const std::int64_t count = detail::get(fr_data_source_index_title_count, handle());
        for (std::int64_t index = 0; index < count; index++) {
            titles.emplace_back(detail::get(fr_data_source_index_title, handle(), index));
        }
        return titles;
    }
    std::optional<std::int64_t> section_for_index_title(std::string_view title, std::int64_t index) const
    {
        return detail::find(fr_data_source_section_for_index_title, handle(), detail::Text(title), index);
    }

    // The objects at the paths that are selected; those that are gone are left out.
    std::vector<Object> selected_objects(const std::vector<IndexPath> &paths) const
    {
        const std::vector<fr_index_path> places(paths.begin(), paths.end());
        std::vector<fr_object *> found(paths.size());
        std::size_t count = 0;
        detail::call(fr_data_source_selected_objects, found.data(), &count, handle(), places.data(), places.size());
        return std::vector<Object>(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count));
    }
    // The paths to select for objects to be selected; nothing for one that is not there.
    std::vector<std::optional<IndexPath>> select_objects(const std::vector<Object> &objects) const
    {
        const std::vector<fr_object *> handles = handles_of(objects);
        std::vector<fr_index_path> paths(objects.size());
        detail::call(fr_data_source_select_objects, paths.data(), nullptr, handle(), handles.data(), handles.size());
        std::vector<std::optional<IndexPath>> result;
        for (const fr_index_path &path : paths) {
            result.push_back(path.section >= 0 ? std::optional<IndexPath>(path) : std::nullopt);
        }
        return result;
    }

  private:
    using Calls = detail::CellCalls<Cell>;

    explicit DataSource(fr_data_source *owned) noexcept : source_(owned) {}

    template <typename Function> static fr_data_source *make(Function function, Cells<Cell> cells, fr_list *list)
    {
        const fr_cells calls = Calls::make(cells);
        return detail::get(function, list, &calls, detail::Passed<Calls>(std::move(cells)), &detail::destroy<Calls>);
    }
    static std::vector<fr_object *> handles_of(const std::vector<Object> &objects)
    {
        std::vector<fr_object *> handles;
        for (const Object &object : objects) {
            handles.push_back(object.handle());
        }
        return handles;
    }

    detail::Owned<fr_data_source, fr_data_source_free> source_;
};

} // namespace fetchedresults

#endif
