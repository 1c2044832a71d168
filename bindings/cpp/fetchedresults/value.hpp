// Values of SQLite.
#ifndef FETCHEDRESULTS_VALUE_HPP
#define FETCHEDRESULTS_VALUE_HPP

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "error.hpp"

namespace fetchedresults {

enum class ValueType { null = FR_TYPE_NULL, integer, real, text, blob };

using Blob = detail::Span<std::byte>;

// One value, which borrows its text or blob: from what it was made of, or from what was asked for
// it.
class Value {
  public:
    Value() noexcept : value_(fr_null()) {}
    Value(std::nullptr_t) noexcept : Value() {}
    Value(std::nullopt_t) noexcept : Value() {}
    template <typename Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
    Value(Number integer) noexcept : value_(fr_integer(static_cast<std::int64_t>(integer)))
    {
    }
    Value(double real) noexcept : value_(fr_real(real)) {}
    Value(const char *text) noexcept : value_(fr_text(text)) {}
    Value(std::string_view text) noexcept : value_(fr_text(""))
    {
        value_.data = text.empty() ? "" : text.data();
        value_.length = static_cast<std::int64_t>(text.size());
    }
    Value(const std::string &text) noexcept : Value(std::string_view(text)) {}
    Value(const Blob &blob) noexcept : value_(fr_blob(blob.begin(), static_cast<std::int64_t>(blob.size()))) {}
    Value(const std::vector<std::byte> &bytes) noexcept : Value(Blob(bytes.data(), bytes.size())) {}
    template <typename Other> Value(const std::optional<Other> &other) noexcept : Value(other ? Value(*other) : Value())
    {
    }
    explicit Value(const fr_value &value) noexcept : value_(value) {}

    ValueType type() const noexcept { return static_cast<ValueType>(value_.type); }
    bool is_null() const noexcept { return value_.type == FR_TYPE_NULL; }
    const fr_value &raw() const noexcept { return value_; }

    // The value as what it is. Another type is an Error with FR_TYPE.
    std::int64_t integer() const { return checked(FR_TYPE_INTEGER).integer; }
    std::string_view text() const
    {
        const fr_value &value = checked(FR_TYPE_TEXT);
        return {value.data, static_cast<std::size_t>(value.length)};
    }
    Blob blob() const
    {
        const fr_value &value = checked(FR_TYPE_BLOB);
        return {reinterpret_cast<const std::byte *>(value.data), static_cast<std::size_t>(value.length)};
    }
    // An integer is a real number, too.
    double real() const
    {
        return value_.type == FR_TYPE_INTEGER ? static_cast<double>(value_.integer) : checked(FR_TYPE_REAL).real;
    }

    // The value as a type of C++: a number, a string, a vector of bytes, or an optional of one of
    // these for NULL.
    template <typename Type> Type get() const { return Getter<Type>::get(*this); }

  private:
    template <typename Type, typename = void> struct Getter;

    const fr_value &checked(fr_value_type type) const
    {
        static const char *const names[] = {"NULL", "an integer", "a real", "a text", "a blob"};
        if (value_.type != type) {
            throw Error(FR_TYPE, std::string("the value is ") + names[value_.type] + " and not " + names[type]);
        }
        return value_;
    }

    fr_value value_;
};

template <typename Type> struct Value::Getter<Type, std::enable_if_t<std::is_integral_v<Type>>> {
    static Type get(const Value &value)
    {
        const std::int64_t integer = value.integer();
        if constexpr (std::is_same_v<Type, bool>) {
            return integer != 0;
        } else {
            const Type number = static_cast<Type>(integer);
            if (static_cast<std::int64_t>(number) != integer || (number < Type(0)) != (integer < 0)) {
                throw Error(FR_RANGE, "the integer does not fit the type that was asked for");
            }
            return number;
        }
    }
};

template <typename Type> struct Value::Getter<Type, std::enable_if_t<std::is_floating_point_v<Type>>> {
    static Type get(const Value &value) { return static_cast<Type>(value.real()); }
};

template <> struct Value::Getter<std::string> {
    static std::string get(const Value &value) { return std::string(value.text()); }
};

template <> struct Value::Getter<std::string_view> {
    static std::string_view get(const Value &value) { return value.text(); }
};

template <> struct Value::Getter<std::vector<std::byte>> {
    static std::vector<std::byte> get(const Value &value)
    {
        const Blob blob = value.blob();
        return {blob.begin(), blob.end()};
    }
};

template <typename Type> struct Value::Getter<std::optional<Type>> {
    static std::optional<Type> get(const Value &value)
    {
        return value.is_null() ? std::nullopt : std::optional<Type>(value.get<Type>());
    }
};

// The arguments of a SQL function, borrowed during its call.
class Arguments {
  public:
    Arguments(const fr_value *values, std::size_t size) noexcept : values_(values), size_(size) {}
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    Value operator[](std::size_t index) const noexcept { return Value(values_[index]); }

  private:
    const fr_value *values_;
    std::size_t size_;
};

// Values for parameters, or an identity: {1, "text", nullptr}. They are read during the call.
class Values {
  public:
    Values() = default;
    Values(std::initializer_list<Value> values) { add(values); }
    Values(const std::vector<Value> &values) { add(values); }
    const fr_value *data() const noexcept { return values_.data(); }
    std::size_t size() const noexcept { return values_.size(); }

  private:
    template <typename Range> void add(const Range &values)
    {
        values_.reserve(values.size());
        for (const Value &value : values) {
            values_.push_back(value.raw());
        }
    }
    std::vector<fr_value> values_;
};

// Names, of columns say: {"id", "title"}.
class Names {
  public:
    Names() = default;
    Names(std::initializer_list<const char *> names) : texts_(names.begin(), names.end()) { point(); }
    Names(std::vector<std::string> names) : texts_(std::move(names)) { point(); }
    Names(const Names &) = delete;
    Names &operator=(const Names &) = delete;
    const char *const *data() const noexcept { return pointers_.data(); }
    std::size_t size() const noexcept { return pointers_.size(); }

  private:
    void point()
    {
        for (const std::string &text : texts_) {
            pointers_.push_back(text.c_str());
        }
    }
    std::vector<std::string> texts_;
    std::vector<const char *> pointers_;
};

// Values with names, of parameters or columns: {{"title", "Bake"}, {"done", 0}}.
class NamedValues {
  public:
    NamedValues() = default;
    NamedValues(std::initializer_list<std::pair<const char *, Value>> values)
    {
        for (const auto &[name, value] : values) {
            names_.push_back(name);
            values_.push_back(value.raw());
        }
    }
    // Borrowed: what a callback of C receives.
    NamedValues(const char *const *names, const fr_value *values, std::size_t count)
        : names_(names, names + count), values_(values, values + count)
    {
    }
    const char *const *names() const noexcept { return names_.data(); }
    const fr_value *values() const noexcept { return values_.data(); }
    std::size_t size() const noexcept { return values_.size(); }

  private:
    std::vector<const char *> names_;
    std::vector<fr_value> values_;
};

} // namespace fetchedresults

#endif
