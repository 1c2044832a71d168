// What the schema says of the columns of a list, and its request in another order.
#ifndef FETCHEDRESULTS_QT_SCHEMA_HPP
#define FETCHEDRESULTS_QT_SCHEMA_HPP

#include <set>

#include "controller.hpp"

namespace fetchedresults::qt {

using DeclaredColumns = std::vector<std::pair<std::string, std::string>>;

// The columns that the objects of a request show, with the declared types of those of a table.
inline DeclaredColumns declared_columns(const Store &store, const Request &request)
{
    DeclaredColumns columns;
    const std::string entity(request.entity());
    if (fetchedresults::detail::get(fr_request_is_select, request.handle())) {
        const Statement select = store.prepare(entity);
        for (int column = 0; column < select.column_count(); column++) {
            columns.emplace_back(select.column_name(column), "");
        }
        return columns;
    }
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
    return columns;
}

// The key paths and columns that a request names to be shown; none for all of its entity.
inline std::vector<std::string> named_columns(const Request &request)
{
    std::vector<std::string> names;
    const std::int64_t count = fetchedresults::detail::get(fr_request_column_count, request.handle());
    for (std::int64_t index = 0; index < count; index++) {
        names.emplace_back(fetchedresults::detail::get(fr_request_column, request.handle(), index));
    }
    return names;
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
    std::vector<Order> orders;
    const std::int64_t count = fetchedresults::detail::get(fr_request_sort_count, request.handle());
    for (std::int64_t index = 0; index < count; index++) {
        orders.push_back(order_of(fetchedresults::detail::get(fr_request_sort, request.handle(), index)));
    }
    return orders;
}

// A request for the same rows of a table or view in another order.
inline Request in_order(const Request &request, const std::vector<Order> &orders)
{
    namespace in = fetchedresults::detail;
    fr_request *const from = request.handle();
    Request made(request.entity());
    if (const char *predicate = in::get(fr_request_predicate, from)) {
        std::vector<fr_value> values;
        std::vector<const char *> names;
        const std::int64_t count = in::get(fr_request_parameter_count, from);
        for (std::int64_t index = 0; index < count; index++) {
            fr_value value;
            const char *name = nullptr;
            in::call(fr_request_parameter, &value, &name, from, index);
            values.push_back(value);
            if (name != nullptr) {
                names.push_back(name);
            }
        }
        if (names.empty()) {
            in::call(fr_request_set_predicate, made.handle(), predicate, values.data(), values.size());
        } else {
            in::call(fr_request_set_predicate_named, made.handle(), predicate, names.data(), values.data(),
                     values.size());
        }
    }
    for (const Order &order : orders) {
        made.sort(order.key_path, order.flags, order.collation);
    }
    if (in::get(fr_request_section, from) != nullptr) {
        const Order section = order_of(in::get(fr_request_section_sort, from));
        made.section(section.key_path, section.flags, section.collation);
    }
    if (const std::vector<std::string> columns = named_columns(request); !columns.empty()) {
        made.columns(columns);
    }
    std::vector<std::string> identity;
    const std::int64_t parts = in::get(fr_request_identity_count, from);
    for (std::int64_t index = 0; index < parts; index++) {
        identity.emplace_back(in::get(fr_request_identity, from, index));
    }
    if (!identity.empty()) {
        made.identity(identity);
    }
    made.batch_size(in::get(fr_request_batch_size, from));
    const std::int64_t limit = in::get(fr_request_limit, from), offset = in::get(fr_request_offset, from);
    if (limit >= 0 || offset > 0) {
        made.limit(limit, offset);
    }
    if (const char *name = in::get(fr_request_cache_name, from)) {
        made.cache_name(name);
    }
    return made;
}

} // namespace fetchedresults::qt

#endif
