// Errors, and exceptions of callbacks.
#ifndef FETCHEDRESULTS_ERROR_HPP
#define FETCHEDRESULTS_ERROR_HPP

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include <fetchedresults.h>

namespace fetchedresults {

// What a failed call answered. what() is the message.
class Error : public std::runtime_error {
  public:
    Error(fr_status status, const std::string &message, int sqlite_code = 0, std::optional<std::string> sql = {})
        : std::runtime_error(message), status_(status), sqlite_code_(sqlite_code), sql_(std::move(sql))
    {
    }

    // Of a failure that the library reported to a callback.
    explicit Error(const fr_error &error)
        : Error(error.status, error.message, error.sqlite_code,
                error.sql != nullptr ? std::optional<std::string>(error.sql) : std::nullopt)
    {
    }

    // Of the calling thread's last call, which failed.
    static Error last()
    {
        const char *sql = fr_error_sql();
        return Error(fr_error_status(), fr_error_message(), fr_error_sqlite_code(),
                     sql != nullptr ? std::optional<std::string>(sql) : std::nullopt);
    }

    fr_status status() const noexcept { return status_; } // FR_BUSY, ...
    std::string_view status_name() const noexcept { return fr_status_name(status_); }
    int sqlite_code() const noexcept { return sqlite_code_; } // SQLite's extended result code; 0 without one
    const std::optional<std::string> &sql() const noexcept { return sql_; } // the statement at which it failed

  private:
    fr_status status_;
    int sqlite_code_;
    std::optional<std::string> sql_;
};

// Not for programs.
namespace detail {

// A call of the library that is under way on this thread. It receives what callbacks inside it
// throw.
class Call {
  public:
    Call() : outer_(innermost())
    {
        if (outer_ == nullptr && unclaimed()) {
            std::rethrow_exception(std::exchange(unclaimed(), nullptr));
        }
        innermost() = this;
    }
    ~Call() { innermost() = outer_; }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    // Throws what a callback has thrown.
    void rethrow()
    {
        if (exception_) {
            std::rethrow_exception(std::exchange(exception_, nullptr));
        }
    }

    // Notes the exception that is being handled, for the innermost call.
    static void note() noexcept
    {
        std::exception_ptr &place = innermost() != nullptr ? innermost()->exception_ : unclaimed();
        if (!place) {
            place = std::current_exception();
        }
    }

  private:
    static Call *&innermost() noexcept
    {
        static thread_local Call *call = nullptr;
        return call;
    }
    static std::exception_ptr &unclaimed() noexcept
    {
        static thread_local std::exception_ptr exception;
        return exception;
    }

    Call *outer_;
    std::exception_ptr exception_;
};

// The status of a call, one that may be a result and no failure.
template <typename... Parameters, typename... Arguments>
fr_status status_of(fr_status (*function)(Parameters...), Arguments &&...arguments)
{
    Call call;
    const fr_status status = function(std::forward<Arguments>(arguments)...);
    call.rethrow();
    return status;
}

template <typename... Parameters, typename... Arguments>
void call(fr_status (*function)(Parameters...), Arguments &&...arguments)
{
    if (status_of(function, std::forward<Arguments>(arguments)...) != FR_OK) {
        throw Error::last();
    }
}

// What a call returns through its first parameter.
template <typename Result, typename... Parameters, typename... Arguments>
Result get(fr_status (*function)(Result *, Parameters...), Arguments &&...arguments)
{
    Result result{};
    call(function, &result, std::forward<Arguments>(arguments)...);
    return result;
}

// The same, or nothing if there is no object.
template <typename Result, typename... Parameters, typename... Arguments>
std::optional<Result> find(fr_status (*function)(Result *, Parameters...), Arguments &&...arguments)
{
    Result result{};
    const fr_status status = status_of(function, &result, std::forward<Arguments>(arguments)...);
    if (status == FR_NOT_FOUND) {
        return std::nullopt;
    }
    if (status != FR_OK) {
        throw Error::last();
    }
    return result;
}

// Runs a callback's function; what it throws reaches the call, and not the library.
template <typename Function> void guard(Function &&function) noexcept
{
    try {
        function();
    } catch (...) {
        Call::note();
    }
}

template <typename Data> void destroy(void *user_data) noexcept
{
    delete static_cast<Data *>(user_data);
}

// Data of a callback, which the library destroys once the call has begun.
template <typename Data> class Passed {
  public:
    template <typename From> explicit Passed(From &&from) : data_(new Data(std::forward<From>(from))) {}
    operator void *() noexcept { return data_.release(); }

  private:
    std::unique_ptr<Data> data_;
};

// A NUL-terminated copy, or NULL for nothing.
class Text {
  public:
    Text(std::string_view text) : text_(text) {}
    Text(const std::optional<std::string> &text) : text_(text) {}
    operator const char *() const noexcept { return text_ ? text_->c_str() : nullptr; }

  private:
    std::optional<std::string> text_;
};

inline std::optional<std::string_view> view(const char *text)
{
    return text != nullptr ? std::optional<std::string_view>(text) : std::nullopt;
}

// An array that is borrowed.
template <typename Element> class Span {
  public:
    Span(const Element *data, std::size_t size) noexcept : data_(data), size_(size) {}
    const Element *begin() const noexcept { return data_; }
    const Element *end() const noexcept { return data_ + size_; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    const Element &operator[](std::size_t index) const noexcept { return data_[index]; }

  private:
    const Element *data_;
    std::size_t size_;
};

// Owns a handle that one owner frees.
template <typename Handle, auto release> class Owned {
  public:
    Owned() noexcept = default;
    explicit Owned(Handle *handle) noexcept : handle_(handle) {}
    Owned(Owned &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned &operator=(Owned &&other) noexcept
    {
        if (this != &other) {
            release(std::exchange(handle_, std::exchange(other.handle_, nullptr)));
        }
        return *this;
    }
    ~Owned() { release(handle_); }
    Handle *get() const noexcept { return handle_; }
    Handle *take() noexcept { return std::exchange(handle_, nullptr); }

  private:
    Handle *handle_ = nullptr;
};

} // namespace detail

} // namespace fetchedresults

#endif
