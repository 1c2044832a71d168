// Objects: rows as they were at one moment.
#ifndef FETCHEDRESULTS_OBJECT_HPP
#define FETCHEDRESULTS_OBJECT_HPP

#include "value.hpp"

namespace fetchedresults {

// A counted reference to an immutable picture of one row. What it returns lives as long as one of
// its references.
class Object {
  public:
    // Takes a reference that the caller owns.
    explicit Object(fr_object *owned) noexcept : object_(owned) {}
    // Takes one more reference to an object that is borrowed.
    static Object borrowed(fr_object *object) noexcept { return Object(fr_object_ref(object)); }

    Object(const Object &other) noexcept : object_(fr_object_ref(other.object_)) {}
    Object(Object &&other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
    Object &operator=(Object other) noexcept
    {
        std::swap(object_, other.object_);
        return *this;
    }
    ~Object() { fr_object_unref(object_); }

    fr_object *handle() const noexcept { return object_; }
    std::string_view entity() const & { return detail::get(fr_object_entity, object_); }
    std::uint64_t layout() const { return detail::get(fr_object_layout, object_); }

    std::int64_t column_count() const { return detail::get(fr_object_column_count, object_); }
    std::string_view column_name(std::int64_t index) const &
    {
        return detail::get(fr_object_column_name, object_, index);
    }
    std::int64_t column_index(std::string_view name) const
    {
        return detail::get(fr_object_column_index, object_, detail::Text(name));
    }

    // A column's value, borrowed from the object, which therefore needs a name.
    Value operator[](std::string_view name) const & { return value(name); }
    Value operator[](std::int64_t index) const & { return value(index); }
    Value operator[](std::string_view name) const && = delete;
    Value operator[](std::int64_t index) const && = delete;

    // A column's value as a type of its own: get<std::string>("title"),
    // get<std::optional<double>>("price").
    template <typename Type> Type get(std::string_view name) const
    {
        static_assert(!std::is_same_v<Type, std::string_view>, "a view would not outlive the object: use object[name]");
        return value(name).template get<Type>();
    }
    template <typename Type> Type get(std::int64_t index) const
    {
        static_assert(!std::is_same_v<Type, std::string_view>,
                      "a view would not outlive the object: use object[index]");
        return value(index).template get<Type>();
    }

    // The primary key's values; of a row whose key holds a NULL, a NULL for each of them, then the
    // rowid.
    std::vector<Value> identity() const &
    {
        std::vector<Value> values;
        const std::int64_t count = detail::get(fr_object_identity_count, object_);
        for (std::int64_t index = 0; index < count; index++) {
            values.emplace_back(detail::get(fr_object_identity, object_, index));
        }
        return values;
    }
    std::vector<Value> identity() const && = delete;

  private:
    Value value(std::string_view name) const
    {
        return Value(detail::get(fr_object_value_named, object_, detail::Text(name)));
    }
    Value value(std::int64_t index) const { return Value(detail::get(fr_object_value, object_, index)); }

    fr_object *object_;
};

namespace detail {

// The status of a call that returns an object through its first parameter. Of one in which a
// callback has thrown, an observer or a collation, the object is released.
template <typename... Parameters, typename... Arguments>
fr_status receive(fr_object *&object, fr_status (*function)(fr_object **, Parameters...), Arguments &&...arguments)
{
    object = nullptr;
    try {
        return status_of(function, &object, std::forward<Arguments>(arguments)...);
    } catch (...) {
        fr_object_unref(object);
        throw;
    }
}

template <typename Function, typename... Arguments> Object object(Function function, Arguments &&...arguments)
{
    fr_object *object;
    if (receive(object, function, std::forward<Arguments>(arguments)...) != FR_OK) {
        throw Error::last();
    }
    return Object(object);
}

// The same, or nothing if there is no object.
template <typename Function, typename... Arguments>
std::optional<Object> find_object(Function function, Arguments &&...arguments)
{
    fr_object *object;
    const fr_status status = receive(object, function, std::forward<Arguments>(arguments)...);
    if (status != FR_OK && status != FR_NOT_FOUND) {
        throw Error::last();
    }
    return status == FR_OK ? std::optional<Object>(std::in_place, object) : std::nullopt;
}

} // namespace detail

} // namespace fetchedresults

#endif
