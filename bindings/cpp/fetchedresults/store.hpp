// Stores and statements.
#ifndef FETCHEDRESULTS_STORE_HPP
#define FETCHEDRESULTS_STORE_HPP

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "object.hpp"

namespace fetchedresults {

// How a store is opened; see fr_store_options.
struct StoreOptions {
    std::uint32_t flags = 0; // FR_STORE_READ_ONLY, ...
    std::chrono::milliseconds busy_timeout{0};
    std::optional<std::string> journal_mode{};
    std::optional<std::string> cache_directory{};
    std::int64_t snapshot_limit = 0;
    std::chrono::milliseconds poll_interval{0};
};

// A prepared statement.
class Statement {
  public:
    explicit Statement(fr_statement *owned) noexcept : statement_(owned) {}
    fr_statement *handle() const noexcept { return statement_.get(); }

    // Gives a parameter a value, by its number from 1 or its name.
    Statement &bind(int index, const Value &value)
    {
        detail::call(fr_statement_bind, handle(), index, &value.raw());
        return *this;
    }
    Statement &bind(std::string_view name, const Value &value)
    {
        detail::call(fr_statement_bind_named, handle(), detail::Text(name), &value.raw());
        return *this;
    }
    // Gives the first parameters values, in their order.
    Statement &bind(const Values &values)
    {
        for (std::size_t index = 0; index < values.size(); index++) {
            detail::call(fr_statement_bind, handle(), static_cast<int>(index) + 1, values.data() + index);
        }
        return *this;
    }

    void execute() { detail::call(fr_statement_execute, handle()); }
    // Goes to the next row; false at the end.
    bool step() { return detail::get(fr_statement_step, handle()); }
    void reset() { detail::call(fr_statement_reset, handle()); }

    int column_count() const { return detail::get(fr_statement_column_count, handle()); }
    std::string_view column_name(int index) const { return detail::get(fr_statement_column_name, handle(), index); }
    // A value of the current row, borrowed until the next step.
    Value operator[](int index) const { return Value(detail::get(fr_statement_value, handle(), index)); }

  private:
    detail::Owned<fr_statement, fr_statement_free> statement_;
};

// One SQLite database, observed.
class Store {
  public:
    explicit Store(std::string_view path, const StoreOptions &options = {})
    {
        const Raw raw(options);
        store_ = Owned(detail::get(fr_store_open, detail::Text(path), &raw.options));
    }
    // A store of a connection that the program opened and still owns.
    static Store adopt(struct sqlite3 *connection, const StoreOptions &options = {})
    {
        const Raw raw(options);
        return Store(Owned(detail::get(fr_store_adopt, connection, &raw.options)));
    }

    fr_store *handle() const noexcept { return store_.get(); }
    // Closes the store and reports what that fails with, which the destructor does not.
    void close() { detail::call(fr_store_close, store_.take()); }

    void execute(std::string_view sql, const Values &values = {})
    {
        detail::call(fr_store_execute, handle(), detail::Text(sql), values.data(), values.size());
    }
    void execute_named(std::string_view sql, const NamedValues &values)
    {
        detail::call(fr_store_execute_named, handle(), detail::Text(sql), values.names(), values.values(),
                     values.size());
    }
    void execute_script(std::string_view sql) { detail::call(fr_store_execute_script, handle(), detail::Text(sql)); }
    Statement prepare(std::string_view sql) const
    {
        return Statement(detail::get(fr_statement_prepare, handle(), detail::Text(sql)));
    }
    std::int64_t changes() const { return detail::get(fr_store_changes, handle()); }
    std::int64_t last_insert_rowid() const { return detail::get(fr_store_last_insert_rowid, handle()); }

    void begin(int mode = FR_IMMEDIATE) { detail::call(fr_store_begin, handle(), mode); }
    void commit() { detail::call(fr_store_commit, handle()); }
    void rollback() { detail::call(fr_store_rollback, handle()); }
    bool in_transaction() const { return detail::get(fr_store_in_transaction, handle()); }

    // Runs a function between begin and commit. If it throws, or if the commit fails, all is rolled
    // back. The function is no callback of the library: observers are notified by the commit, after
    // it.
    template <typename Function> void transaction(Function &&function, int mode = FR_IMMEDIATE)
    {
        begin(mode);
        commit_after(function);
    }

    Object insert(std::string_view entity, const NamedValues &values = {})
    {
        return detail::object(fr_store_insert, handle(), detail::Text(entity), values.names(), values.values(),
                              values.size());
    }
    // False if there is no such row.
    bool update(std::string_view entity, const Values &identity, const NamedValues &values)
    {
        return was_found(detail::status_of(fr_store_update, handle(), detail::Text(entity), identity.data(),
                                           identity.size(), values.names(), values.values(), values.size()));
    }
    bool remove(std::string_view entity, const Values &identity)
    {
        return was_found(
            detail::status_of(fr_store_delete, handle(), detail::Text(entity), identity.data(), identity.size()));
    }
    std::optional<Object> object(std::string_view entity, const Values &identity) const
    {
        return detail::find_object(fr_store_object, handle(), detail::Text(entity), identity.data(), identity.size());
    }

    // Delivers what waits to be delivered: commits of others among it.
    void dispatch() { detail::call(fr_store_dispatch, handle()); }
    fr_dispatch_result dispatch(int limit)
    {
        fr_dispatch_result result{};
        result.struct_size = sizeof result;
        detail::call(fr_store_dispatch_rounds, &result, handle(), limit);
        return result;
    }
    // Waits for something to deliver and delivers it. A negative time has no end.
    void wait(std::chrono::milliseconds timeout = std::chrono::milliseconds(-1))
    {
        detail::call(fr_store_wait, handle(), static_cast<int>(timeout.count()));
    }
    // A descriptor for poll that is readable as long as there is something to dispatch. It belongs
    // to the store.
    int file_descriptor() const { return detail::get(fr_store_file_descriptor, handle()); }
    fr_wake_up_source wake_up_source() const { return detail::get(fr_store_wake_up_source, handle()); }
    bool is_delivering() const { return detail::get(fr_store_is_delivering, handle()); }
    fr_foreign_counters foreign_counters() const
    {
        fr_foreign_counters counters{};
        counters.struct_size = sizeof counters;
        detail::call(fr_store_foreign_counters, &counters, handle());
        return counters;
    }
    // Has the store measure its rounds.
    void set_measuring(bool measuring) { detail::call(fr_store_set_measuring, handle(), measuring); }
    fr_delivery_times delivery_times() const
    {
        fr_delivery_times times{};
        times.struct_size = sizeof times;
        detail::call(fr_store_delivery_times, &times, handle());
        return times;
    }

    // Has a function called with each round from now on. If it throws, so does the call that
    // delivered.
    void set_trace(std::function<void(const fr_round_trace &)> function)
    {
        using Function = std::function<void(const fr_round_trace &)>;
        detail::call(fr_store_set_trace, handle(), &traced, detail::Passed<Function>(std::move(function)),
                     &detail::destroy<Function>);
    }
    void end_trace() { detail::call(fr_store_set_trace, handle(), nullptr, nullptr, nullptr); }

    // Has a function called once when the round under way is over, with what failed that was asked
    // for before, or NULL.
    void call_after_round(std::function<void(const Error *)> function)
    {
        call_after_round(handle(), std::move(function));
    }
    // The same for a store that C returned.
    static void call_after_round(fr_store *store, std::function<void(const Error *)> function)
    {
        detail::call(fr_store_call_after_round, store, &after_round,
                     detail::Passed<std::function<void(const Error *)>>(std::move(function)),
                     &detail::destroy<std::function<void(const Error *)>>);
    }

    using Compare = std::function<int(std::string_view, std::string_view)>;
    // Registers a collation: negative, 0 or positive as the first text sorts before, with or after
    // the second. If it throws, so does the call that ran the statement, and everything
    // that the statement wrote is undone.
    void add_collation(std::string_view name, Compare compare)
    {
        detail::call(fr_store_add_fallible_collation, handle(), detail::Text(name), &compare_texts,
                     detail::Passed<Compare>(std::move(compare)), &detail::destroy<Compare>);
    }

    // Registers a SQL function: a lambda of the Arguments whose result can be made a Value, which
    // is copied. If it throws, the statement fails, and the call that ran it throws the same.
    // argument_count: -1 for any number. flags: FR_FUNCTION_...
    template <typename Function>
    void add_function(std::string_view name, Function function, int argument_count = -1, std::uint32_t flags = 0)
    {
        fr_function native{};
        native.struct_size = sizeof native;
        native.flags = flags;
        native.argument_count = argument_count;
        native.call = &call_function<Function>;
        native.free_data = &std::free;
        detail::call(fr_store_add_function, handle(), detail::Text(name), &native,
                     detail::Passed<Function>(std::move(function)), &detail::destroy<Function>);
    }

    void start_history(std::string_view table) { detail::call(fr_store_start_history, handle(), detail::Text(table)); }
    void stop_history(std::string_view table) { detail::call(fr_store_stop_history, handle(), detail::Text(table)); }
    bool has_history(std::string_view table) const
    {
        return detail::get(fr_store_has_history, handle(), detail::Text(table));
    }
    std::int64_t history_generation() const { return detail::get(fr_store_history_generation, handle()); }
    // A statement that yields the identities of the rows that were touched since a generation.
    Statement touched_rows(std::string_view table, std::int64_t since) const
    {
        return Statement(detail::get(fr_store_touched_rows, handle(), detail::Text(table), since));
    }

    // Begins a transaction that can be undone; commit or rollback ends it.
    void begin_step(std::string_view name, bool joins_last = false)
    {
        detail::call(fr_store_begin_step, handle(), detail::Text(name), joins_last);
    }
    // Runs a function in a step, as transaction does.
    template <typename Function> void step(std::string_view name, Function &&function, bool joins_last = false)
    {
        begin_step(name, joins_last);
        commit_after(function);
    }
    void undo() { detail::call(fr_store_undo, handle()); }
    void redo() { detail::call(fr_store_redo, handle()); }
    // The name of the step that undo would undo; none if there is no step.
    std::optional<std::string> undo_name() const { return name_of(detail::get(fr_store_undo_name, handle())); }
    std::optional<std::string> redo_name() const { return name_of(detail::get(fr_store_redo_name, handle())); }
    void discard_steps(std::size_t count = SIZE_MAX) { detail::call(fr_store_discard_steps, handle(), count); }
    void set_undo_limit(std::size_t steps, std::size_t bytes)
    {
        detail::call(fr_store_set_undo_limit, handle(), steps, bytes);
    }

    void delete_cache(std::string_view name) { detail::call(fr_store_delete_cache, handle(), detail::Text(name)); }
    void delete_all_caches() { detail::call(fr_store_delete_all_caches, handle()); }
    // The same without an open store. Without a cache directory it is the user's own.
    static void delete_cache(std::string_view path, std::string_view name,
                             const std::optional<std::string> &cache_directory = {})
    {
        detail::call(fr_database_delete_cache, detail::Text(path), detail::Text(cache_directory), detail::Text(name));
    }
    static void delete_all_caches(std::string_view path, const std::optional<std::string> &cache_directory = {})
    {
        detail::call(fr_database_delete_all_caches, detail::Text(path), detail::Text(cache_directory));
    }
    struct sqlite3 *sqlite() const { return detail::get(fr_store_sqlite, handle()); }

  private:
    static void close_quietly(fr_store *store) noexcept { fr_store_close(store); }
    using Owned = detail::Owned<fr_store, close_quietly>;

    explicit Store(Owned store) noexcept : store_(std::move(store)) {}

    template <typename Function> void commit_after(Function &function)
    {
        try {
            function();
        } catch (...) {
            fr_store_rollback(handle());
            throw;
        }
        try {
            commit();
        } catch (const Error &) {
            // An observer's exception comes after a commit that succeeded.
            fr_store_rollback(handle());
            throw;
        }
    }

    static std::optional<std::string> name_of(const char *name)
    {
        return name == nullptr ? std::nullopt : std::optional<std::string>(name);
    }

    // The options in C, with the strings that they point to.
    struct Raw {
        explicit Raw(const StoreOptions &from) : journal_mode(from.journal_mode), cache_directory(from.cache_directory)
        {
            options.struct_size = sizeof options;
            options.flags = from.flags;
            options.busy_timeout_ms = static_cast<std::int32_t>(from.busy_timeout.count());
            options.journal_mode = journal_mode;
            options.cache_directory = cache_directory;
            options.snapshot_limit = from.snapshot_limit;
            options.poll_interval_ms = static_cast<std::int32_t>(from.poll_interval.count());
        }
        detail::Text journal_mode, cache_directory;
        fr_store_options options{};
    };

    static bool was_found(fr_status status)
    {
        if (status != FR_OK && status != FR_NOT_FOUND) {
            throw Error::last();
        }
        return status == FR_OK;
    }

    static void traced(fr_store *, const fr_round_trace *trace, void *user_data)
    {
        detail::guard([&] { (*static_cast<std::function<void(const fr_round_trace &)> *>(user_data))(*trace); });
    }

    static void after_round(fr_store *, const fr_error *error, void *user_data)
    {
        detail::guard([&] {
            auto &function = *static_cast<std::function<void(const Error *)> *>(user_data);
            if (error != nullptr) {
                const Error failure(*error);
                function(&failure);
            } else {
                function(nullptr);
            }
        });
    }

    static fr_status compare_texts(std::int32_t *order, const char *a, std::size_t a_length, const char *b,
                                   std::size_t b_length, void *user_data)
    {
        detail::guard([&] {
            const int result = (*static_cast<Compare *>(user_data))(std::string_view(a, a_length),
                                                                    std::string_view(b, b_length));
            *order = (result > 0) - (result < 0);
        });
        return FR_OK;
    }

    template <typename Function>
    static fr_status call_function(fr_value *result, const fr_value *arguments, std::size_t count, void *user_data)
    {
        try {
            const auto &made = (*static_cast<Function *>(user_data))(Arguments(arguments, count));
            return copy(result, Value(made));
        } catch (const std::exception &exception) {
            detail::Call::note();
            // A call of C, or a thread of the store, reports the message.
            return copy(result, Value(exception.what())) == FR_OK ? FR_ERROR : FR_NO_MEMORY;
        } catch (...) {
            detail::Call::note();
            return FR_ERROR;
        }
    }
    // Makes a value the result of a function, with its text or blob in memory that std::free frees.
    static fr_status copy(fr_value *result, const Value &value) noexcept
    {
        *result = value.raw();
        if (value.type() == ValueType::text || value.type() == ValueType::blob) {
            const auto length = static_cast<std::size_t>(result->length);
            void *const data = std::malloc(length + 1);
            if (data == nullptr) {
                *result = fr_null();
                return FR_NO_MEMORY;
            }
            if (length > 0) {
                std::memcpy(data, result->data, length);
            }
            result->data = static_cast<const char *>(data);
        }
        return FR_OK;
    }

    Owned store_;
};

} // namespace fetchedresults

#endif
