// Requests: which rows or groups of rows, in which order, in which sections.
#ifndef FETCHEDRESULTS_REQUEST_HPP
#define FETCHEDRESULTS_REQUEST_HPP

#include "value.hpp"

namespace fetchedresults {

// A request for the rows of a table or view. Lists take copies. The setters can be chained.
class Request {
  public:
    explicit Request(std::string_view entity) : request_(detail::get(fr_request_new, detail::Text(entity))) {}
    // A request that is a whole SELECT, whose rows have these columns as their identity.
    static Request select(std::string_view sql, const Names &identity, const Values &values = {},
                          const std::optional<std::string> &section = {})
    {
        return Request(Owned(detail::get(fr_request_new_select, detail::Text(sql), values.data(), values.size(),
                                         identity.data(), identity.size(), detail::Text(section))));
    }
    // Takes a request that the caller owns.
    explicit Request(fr_request *owned) noexcept : request_(owned) {}

    fr_request *handle() const noexcept { return request_.get(); }

    // Each setter returns the request, so that calls can be chained: a new one is moved out of the
    // chain, as in `auto request = Request("tasks").sort("title")`.
    Request &predicate(std::string_view sql, const Values &values = {}) &
    {
        detail::call(fr_request_set_predicate, handle(), detail::Text(sql), values.data(), values.size());
        return *this;
    }
    Request &&predicate(std::string_view sql, const Values &values = {}) &&
    {
        return std::move(predicate(sql, values));
    }
    Request &predicate_named(std::string_view sql, const NamedValues &values) &
    {
        detail::call(fr_request_set_predicate_named, handle(), detail::Text(sql), values.names(), values.values(),
                     values.size());
        return *this;
    }
    Request &&predicate_named(std::string_view sql, const NamedValues &values) &&
    {
        return std::move(predicate_named(sql, values));
    }
    // Adds a sort descriptor. flags: FR_DESCENDING, FR_NULLS_LAST, ...
    Request &sort(std::string_view key_path, std::uint32_t flags = FR_ASCENDING,
                  const std::optional<std::string> &collation = {}) &
    {
        detail::call(fr_request_add_sort, handle(), detail::Text(key_path), flags, detail::Text(collation));
        return *this;
    }
    Request &&sort(std::string_view key_path, std::uint32_t flags = FR_ASCENDING,
                   const std::optional<std::string> &collation = {}) &&
    {
        return std::move(sort(key_path, flags, collation));
    }
    Request &section(std::string_view key_path, std::uint32_t flags = FR_ASCENDING,
                     const std::optional<std::string> &collation = {}) &
    {
        detail::call(fr_request_set_section, handle(), detail::Text(key_path), flags, detail::Text(collation));
        return *this;
    }
    Request &&section(std::string_view key_path, std::uint32_t flags = FR_ASCENDING,
                      const std::optional<std::string> &collation = {}) &&
    {
        return std::move(section(key_path, flags, collation));
    }
    Request &columns(const Names &key_paths) &
    {
        detail::call(fr_request_set_columns, handle(), key_paths.data(), key_paths.size());
        return *this;
    }
    Request &&columns(const Names &key_paths) && { return std::move(columns(key_paths)); }
    // Shows a row for each group of rows with equal keys. Its columns are the keys and the totals.
    Request &group_by(const Names &keys) &
    {
        detail::call(fr_request_set_group_by, handle(), keys.data(), keys.size());
        return *this;
    }
    Request &&group_by(const Names &keys) && { return std::move(group_by(keys)); }
    // Adds a total of the rows of each group, as a column. Without an expression it counts rows.
    Request &total(std::string_view name, fr_total_function function,
                   const std::optional<std::string> &expression = {}) &
    {
        detail::call(fr_request_add_total, handle(), detail::Text(name), function, detail::Text(expression));
        return *this;
    }
    Request &&total(std::string_view name, fr_total_function function,
                    const std::optional<std::string> &expression = {}) &&
    {
        return std::move(total(name, function, expression));
    }
    // Whether the totals of a list with a limit or an offset are the totals of all rows.
    Request &totals_of_all_rows(bool all_rows = true) &
    {
        detail::call(fr_request_set_totals_of_all_rows, handle(), all_rows);
        return *this;
    }
    Request &&totals_of_all_rows(bool all_rows = true) && { return std::move(totals_of_all_rows(all_rows)); }
    // Chooses the groups, by an expression over keys and totals.
    Request &having(std::string_view sql, const Values &values = {}) &
    {
        detail::call(fr_request_set_having, handle(), detail::Text(sql), values.data(), values.size());
        return *this;
    }
    Request &&having(std::string_view sql, const Values &values = {}) && { return std::move(having(sql, values)); }
    Request &identity(const Names &columns) &
    {
        detail::call(fr_request_set_identity, handle(), columns.data(), columns.size());
        return *this;
    }
    Request &&identity(const Names &columns) && { return std::move(identity(columns)); }
    Request &limit(std::int64_t rows, std::int64_t offset = 0) &
    {
        detail::call(fr_request_set_limit, handle(), rows, offset);
        return *this;
    }
    Request &&limit(std::int64_t rows, std::int64_t offset = 0) && { return std::move(limit(rows, offset)); }
    Request &batch_size(std::int64_t rows) &
    {
        detail::call(fr_request_set_batch_size, handle(), rows);
        return *this;
    }
    Request &&batch_size(std::int64_t rows) && { return std::move(batch_size(rows)); }
    // Sets how many documents may be written before a list by rank is ranked again.
    Request &rank_tolerance(double share) &
    {
        detail::call(fr_request_set_rank_tolerance, handle(), share);
        return *this;
    }
    Request &&rank_tolerance(double share) && { return std::move(rank_tolerance(share)); }
    Request &cache_name(std::string_view name) &
    {
        detail::call(fr_request_set_cache_name, handle(), detail::Text(name));
        return *this;
    }
    Request &&cache_name(std::string_view name) && { return std::move(cache_name(name)); }

    // The parts of the request, which borrow from it until it changes.
    fr_request_info info() const
    {
        fr_request_info info{};
        info.struct_size = sizeof info;
        detail::call(fr_request_describe, &info, handle());
        return info;
    }

  private:
    using Owned = detail::Owned<fr_request, fr_request_free>;
    explicit Request(Owned request) noexcept : request_(std::move(request)) {}

    Owned request_;
};

} // namespace fetchedresults

#endif
