// What the schema says of the columns of a list, and its request in another order.
#ifndef FETCHEDRESULTS_QT_SCHEMA_HPP
#define FETCHEDRESULTS_QT_SCHEMA_HPP

#include <algorithm>
#include <set>

#include "controller.hpp"

namespace fetchedresults::qt {

using DeclaredColumns = std::vector<std::pair<std::string, std::string>>;

// The columns of groups: keys, with the types of the columns that they are, and totals.
inline DeclaredColumns group_columns(const fr_request_info &info, const DeclaredColumns &of_rows)
{
    DeclaredColumns columns;
    for (std::size_t index = 0; index < info.group_by_count; index++) {
        const std::string key(info.group_by[index]);
        const auto same = std::find_if(of_rows.begin(), of_rows.end(),
                                       [&](const auto &column) { return column.first == key; });
        columns.emplace_back(key, same != of_rows.end() ? same->second : "");
    }
    for (std::size_t index = 0; index < info.total_count; index++) {
        const fr_total &total = info.totals[index];
        const bool has_any_type = total.function == FR_TOTAL_MIN || total.function == FR_TOTAL_MAX;
        columns.emplace_back(total.name, has_any_type ? "" : "NUMERIC");
    }
    return columns;
}

// The columns that the objects of a request show, with the declared types of those of a table.
inline DeclaredColumns declared_columns(const Store &store, const Request &request)
{
    DeclaredColumns columns;
    const fr_request_info info = request.info();
    if (info.select != nullptr) {
        const Statement select = store.prepare(info.select);
        for (int column = 0; column < select.column_count(); column++) {
            columns.emplace_back(select.column_name(column), "");
        }
        return columns;
    }
    const std::string entity(info.entity);
    const auto read = [&](const std::string &name, const std::optional<std::string> &database) {
        // A generated column is shown, a hidden one of a virtual table is not:
        // https://www.sqlite.org/pragma.html#pragma_table_xinfo
        Statement pragma = store.prepare(
            "SELECT name, coalesce(type, '') FROM pragma_table_xinfo(?1, ?2) WHERE hidden <> 1");
        pragma.bind({name, database});
        while (pragma.step()) {
            columns.emplace_back(pragma[0].text(), pragma[1].text());
        }
    };
    read(entity, std::nullopt);
    if (const auto dot = entity.find('.'); columns.empty() && dot != std::string::npos) {
        read(entity.substr(dot + 1), entity.substr(0, dot));
    }
    return info.group_by_count > 0 ? group_columns(info, columns) : columns;
}

// The key paths and columns that a request names to be shown; none for all of its entity.
inline std::vector<std::string> named_columns(const Request &request)
{
    const fr_request_info info = request.info();
    return {info.columns, info.columns + info.column_count};
}

// Whether values of a declared type are numbers to people: it has numeric affinity
// (https://www.sqlite.org/datatype3.html), and is no truth value, date or time.
inline bool is_numeric(std::string type)
{
    for (char &letter : type) {
        letter = letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
    }
    const auto has = [&](const char *text) { return type.find(text) != std::string::npos; };
    if (has("INT")) {
        return true;
    }
    return !type.empty() && !has("CHAR") && !has("CLOB") && !has("TEXT") && !has("BLOB") && !has("BOOL") && !has("DATE")
           && !has("TIME");
}

// A sort descriptor.
struct Order {
    std::string key_path;
    std::uint32_t flags = FR_ASCENDING;
    std::optional<std::string> collation{};

    friend bool operator==(const Order &a, const Order &b)
    {
        return a.key_path == b.key_path && a.flags == b.flags && a.collation == b.collation;
    }
};

inline Order order_of(const fr_sort &sort)
{
    return {sort.key_path, sort.flags,
            sort.collation != nullptr ? std::optional<std::string>(sort.collation) : std::nullopt};
}

inline std::vector<Order> orders_of(const Request &request)
{
    const fr_request_info info = request.info();
    std::vector<Order> orders;
    for (std::size_t index = 0; index < info.sort_count; index++) {
        orders.push_back(order_of(info.sorts[index]));
    }
    return orders;
}

// A request for the same rows of a table or view in another order.
inline Request in_order(const Request &request, const std::vector<Order> &orders)
{
    namespace in = fetchedresults::detail;
    const fr_request_info info = request.info();
    Request made(info.entity);
    if (info.parameter_names != nullptr) {
        in::call(fr_request_set_predicate_named, made.handle(), info.predicate, info.parameter_names, info.parameters,
                 info.parameter_count);
    } else {
        in::call(fr_request_set_predicate, made.handle(), info.predicate, info.parameters, info.parameter_count);
    }
    for (const Order &order : orders) {
        made.sort(order.key_path, order.flags, order.collation);
    }
    in::call(fr_request_set_section, made.handle(), info.section.key_path, info.section.flags, info.section.collation);
    in::call(fr_request_set_columns, made.handle(), info.columns, info.column_count);
    in::call(fr_request_set_identity, made.handle(), info.identity, info.identity_count);
    in::call(fr_request_set_group_by, made.handle(), info.group_by, info.group_by_count);
    for (std::size_t index = 0; index < info.total_count; index++) {
        const fr_total &total = info.totals[index];
        in::call(fr_request_add_total, made.handle(), total.name, total.function, total.expression);
    }
    in::call(fr_request_set_totals_of_all_rows, made.handle(), info.totals_of_all_rows);
    in::call(fr_request_set_having, made.handle(), info.having, info.having_parameters, info.having_parameter_count);
    made.batch_size(info.batch_size).limit(info.limit, info.offset).rank_tolerance(info.rank_tolerance);
    in::call(fr_request_set_cache_name, made.handle(), info.cache_name);
    return made;
}

} // namespace fetchedresults::qt

#endif
