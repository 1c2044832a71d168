// Controllers: the lists of one request.
#ifndef FETCHEDRESULTS_CONTROLLER_HPP
#define FETCHEDRESULTS_CONTROLLER_HPP

#include <cstring>

#include "list.hpp"
#include "request.hpp"
#include "store.hpp"

namespace fetchedresults {

// The list of a request. It is to be fetched.
class Controller : public List {
  public:
    Controller(const Store &store, const Request &request)
        : List(detail::get(fr_controller_new, store.handle(), request.handle()))
    {
    }

    // Another request for the same entity; the difference is delivered.
    void set_request(const Request &request) { detail::call(fr_controller_set_request, list_, request.handle()); }
    Request request() const { return Request(detail::get(fr_controller_request, list_)); }
    std::optional<std::string_view> section_key_path() const
    {
        return detail::view(detail::get(fr_controller_section_key_path, list_));
    }

    // Holds changes back until resume.
    void pause() { detail::call(fr_controller_pause, list_); }
    void resume(bool reload = false) { detail::call(fr_controller_resume, list_, reload); }
    bool is_paused() const { return detail::get(fr_controller_is_paused, list_); }
    // Why the list shows an earlier state than it should.
    std::optional<Error> failure() const
    {
        const fr_error *error = detail::get(fr_controller_failure, list_);
        return error != nullptr ? std::optional<Error>(std::in_place, *error) : std::nullopt;
    }

    void set_row_cache_size(std::int64_t rows) { detail::call(fr_controller_set_row_cache_size, list_, rows); }
    void set_row_cache_bytes(std::int64_t bytes) { detail::call(fr_controller_set_row_cache_bytes, list_, bytes); }
    fr_counters counters() const
    {
        fr_counters counters{};
        counters.struct_size = sizeof counters;
        detail::call(fr_controller_counters, &counters, list_);
        return counters;
    }
    // How SQLite reads the list, and what would help. Its strings are borrowed until the list shows
    // another state.
    fr_explanation explain() const
    {
        fr_explanation explanation{};
        explanation.struct_size = sizeof explanation;
        detail::call(fr_controller_explain, &explanation, list_);
        return explanation;
    }

    using IndexTitle = std::function<std::optional<std::string>(std::string_view)>;
    // Has a function make the index title of a section of its name; nothing for the default.
    void set_index_title_function(IndexTitle function)
    {
        if (function) {
            detail::call(fr_controller_set_index_title_function, list_, &make_title,
                         detail::Passed<IndexTitle>(std::move(function)), &detail::destroy<IndexTitle>);
        } else {
            detail::call(fr_controller_set_index_title_function, list_, nullptr, nullptr, nullptr);
        }
    }

    // The index title that a section with this name has, or would have; nothing for no title.
    std::optional<std::string> index_title_for_name(std::string_view name) const
    {
        const char *title = detail::get(fr_controller_index_title_for_name, list_, detail::Text(name));
        return title != nullptr ? std::optional<std::string>(title) : std::nullopt;
    }

  protected:
    explicit Controller(fr_list *owned) noexcept : List(owned) {}

  private:
    static std::int64_t make_title(char *title, std::int64_t capacity, const char *name, void *user_data)
    {
        std::int64_t length = -1;
        detail::guard([&] {
            const std::optional<std::string> made = (*static_cast<IndexTitle *>(user_data))(name);
            if (made) {
                const auto room = static_cast<std::size_t>(capacity);
                std::memcpy(title, made->data(), made->size() < room ? made->size() : room);
                length = static_cast<std::int64_t>(made->size());
            }
        });
        return length;
    }
};

} // namespace fetchedresults

#endif
