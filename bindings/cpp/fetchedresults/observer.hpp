// Observers of lists.
#ifndef FETCHEDRESULTS_OBSERVER_HPP
#define FETCHEDRESULTS_OBSERVER_HPP

#include "changes.hpp"

namespace fetchedresults {

// What is known of a section. Its strings are borrowed until the list next changes.
class SectionInfo {
  public:
    explicit SectionInfo(const fr_section_info &info) noexcept : info_(info) {}
    std::optional<std::string_view> name() const noexcept
    {
        if (info_.name == nullptr) {
            return std::nullopt;
        }
        return std::string_view(info_.name, static_cast<std::size_t>(info_.name_length));
    }
    std::optional<std::string_view> index_title() const noexcept { return detail::view(info_.index_title); }
    Value value() const noexcept { return Value(info_.value); }
    std::int64_t size() const noexcept { return info_.count; }
    std::int64_t index() const noexcept { return info_.index; } // -1 if the list does not show it

  private:
    fr_section_info info_;
};

// What is notified of the changes of a list; see fr_observer. Members may be empty.
struct Observer {
    std::function<void()> will_change{};
    std::function<void(const SectionInfo &, const Change &)> section_changed{};
    // The object is NULL if nothing is known of the row.
    std::function<void(const Object *, const Change &)> object_changed{};
    std::function<void()> did_change{};
    std::function<void(const ChangeSet &)> did_deliver{};
    std::function<void(const Error &)> did_fail{};
    std::function<void()> did_reload{};
};

// The registration of an observer, which ends with it. It may outlive the list.
class [[nodiscard]] Observation {
  public:
    Observation() noexcept = default;
    Observation(fr_list *list, std::uint64_t number) noexcept : list_(list), number_(number) {}
    Observation(Observation &&other) noexcept : list_(std::exchange(other.list_, nullptr)), number_(other.number_) {}
    Observation &operator=(Observation &&other) noexcept
    {
        if (this != &other) {
            remove();
            list_ = std::exchange(other.list_, nullptr);
            number_ = other.number_;
        }
        return *this;
    }
    ~Observation() { remove(); }

    // Ends it now.
    void remove() noexcept
    {
        if (list_ != nullptr) {
            fr_list_remove_observer(std::exchange(list_, nullptr), number_);
        }
    }
    // Leaves the observer registered for as long as the list lives.
    void keep() noexcept { list_ = nullptr; }

  private:
    fr_list *list_ = nullptr;
    std::uint64_t number_ = 0;
};

namespace detail {

// The functions that C calls, and the observer that is their user data.
struct ObserverCalls {
    static Observer &of(void *user_data) noexcept { return *static_cast<Observer *>(user_data); }

    static void will_change(fr_list *, void *user_data)
    {
        guard([&] { of(user_data).will_change(); });
    }
    static void section_changed(fr_list *, const fr_section_info *section, const fr_change *change,
                                fr_change_set *changes, void *user_data)
    {
        guard([&] { of(user_data).section_changed(SectionInfo(*section), Change(changes, *change)); });
    }
    static void object_changed(fr_list *, fr_object *object, const fr_change *change, fr_change_set *changes,
                               void *user_data)
    {
        guard([&] {
            if (object != nullptr) {
                const Object shown = Object::borrowed(object);
                of(user_data).object_changed(&shown, Change(changes, *change));
            } else {
                of(user_data).object_changed(nullptr, Change(changes, *change));
            }
        });
    }
    static void did_change(fr_list *, void *user_data)
    {
        guard([&] { of(user_data).did_change(); });
    }
    static void did_deliver(fr_list *, fr_change_set *changes, void *user_data)
    {
        guard([&] { of(user_data).did_deliver(ChangeSet::borrowed(changes)); });
    }
    static void did_fail(fr_list *, const fr_error *error, void *user_data)
    {
        guard([&] { of(user_data).did_fail(Error(*error)); });
    }
    static void did_reload(fr_list *, void *user_data)
    {
        guard([&] { of(user_data).did_reload(); });
    }
};

inline std::uint64_t add_observer(fr_list *list, Observer observer)
{
    fr_observer calls{};
    calls.struct_size = sizeof calls;
    calls.will_change = observer.will_change ? ObserverCalls::will_change : nullptr;
    calls.section_changed = observer.section_changed ? ObserverCalls::section_changed : nullptr;
    calls.object_changed = observer.object_changed ? ObserverCalls::object_changed : nullptr;
    calls.did_change = observer.did_change ? ObserverCalls::did_change : nullptr;
    calls.did_deliver = observer.did_deliver ? ObserverCalls::did_deliver : nullptr;
    calls.did_fail = observer.did_fail ? ObserverCalls::did_fail : nullptr;
    calls.did_reload = observer.did_reload ? ObserverCalls::did_reload : nullptr;
    return get(fr_list_add_observer, list, &calls, detail::Passed<Observer>(std::move(observer)), &destroy<Observer>);
}

} // namespace detail

} // namespace fetchedresults

#endif
