// Windows: the rows around one row of a list, as a list of their own.
#ifndef FETCHEDRESULTS_WINDOW_HPP
#define FETCHEDRESULTS_WINDOW_HPP

#include "controller.hpp"

namespace fetchedresults {

// A row of a list with some rows before and after it. It hangs on the row, and not on its place.
class Window : public List {
  public:
    // At the row with a number over all sections; FR_WINDOW_AT_END for the last one.
    Window(const Controller &list, std::int64_t index, std::int64_t before, std::int64_t after)
        : List(detail::get(fr_window_open, list.handle(), index, before, after))
    {
    }
    // At the row with an index path.
    Window(const Controller &list, IndexPath path, std::int64_t before, std::int64_t after)
        : Window(list, list.index_of(path), before, after)
    {
    }
    // At the row with an identity.
    Window(const Controller &list, const Values &identity, std::int64_t before, std::int64_t after)
        : List(detail::get(fr_window_open_at_identity, list.handle(), identity.data(), identity.size(), before, after))
    {
    }
    // At the first row of the section with a name.
    Window(const Controller &list, std::string_view section, std::int64_t before, std::int64_t after)
        : List(detail::get(fr_window_open_at_section, list.handle(), detail::Text(section), before, after))
    {
    }

    // The number, in the list, of the window's first row.
    std::int64_t position() const { return detail::get(fr_window_position, list_); }
    // Where the row on which it hangs is in the window; nothing if the list has no rows.
    std::optional<IndexPath> anchor() const { return detail::find(fr_window_anchor, list_); }
    std::int64_t before() const { return extent().first; }
    std::int64_t after() const { return extent().second; }

    // Hangs it on a row that is so many rows further; the difference is delivered.
    void move(std::int64_t rows) { detail::call(fr_window_move, list_, rows); }
    // Shows another number of rows; the difference is delivered.
    void resize(std::int64_t before, std::int64_t after) { detail::call(fr_window_resize, list_, before, after); }

  private:
    std::pair<std::int64_t, std::int64_t> extent() const
    {
        std::pair<std::int64_t, std::int64_t> extent;
        detail::call(fr_window_extent, &extent.first, &extent.second, list_);
        return extent;
    }
};

} // namespace fetchedresults

#endif
