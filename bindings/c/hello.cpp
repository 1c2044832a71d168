// The same library from C++: handles in std::unique_ptr, callbacks as lambdas without captures.
//
//     c++ -std=c++17 hello.cpp $(pkg-config --cflags --libs fetchedresults) -o hello

#include <fetchedresults.h>

#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace {

void check(fr_status status)
{
    if (status != FR_OK) {
        throw std::runtime_error(std::string(fr_status_name(status)) + ": " + fr_error_message());
    }
}

struct Close {
    void operator()(fr_store *store) const { fr_store_close(store); }
    void operator()(fr_request *request) const { fr_request_free(request); }
    void operator()(fr_list *controller) const { fr_list_free(controller); }
    void operator()(fr_object *object) const { fr_object_unref(object); }
};

template <typename Handle> using Owned = std::unique_ptr<Handle, Close>;

// Calls a function whose first parameter receives a handle, and owns what it made.
template <typename Handle, typename... Parameters, typename... Arguments>
Owned<Handle> make(fr_status (*function)(Handle **, Parameters...), Arguments... arguments)
{
    Handle *handle = nullptr;
    check(function(&handle, arguments...));
    return Owned<Handle>(handle);
}

std::string text(fr_object *object, const char *column)
{
    fr_value value = fr_null();
    check(fr_object_value_named(&value, object, column));
    return value.data == nullptr ? std::string() : std::string(value.data, static_cast<std::size_t>(value.length));
}

int run()
{
    auto store = make(fr_store_open, ":memory:", nullptr);
    check(
        fr_store_execute_script(store.get(), "CREATE TABLE greetings(id INTEGER PRIMARY KEY, word TEXT, tongue TEXT)"));

    auto request = make(fr_request_new, "greetings");
    check(fr_request_add_sort(request.get(), "word", FR_ASCENDING, "NOCASE"));
    auto list = make(fr_controller_new, store.get(), request.get());
    check(fr_list_perform_fetch(list.get()));

    fr_observer observer{};
    observer.struct_size = sizeof observer;
    observer.object_changed = [](fr_list *, fr_object *object, const fr_change *change, fr_change_set *, void *) {
        std::cout << text(object, "word") << " (" << text(object, "tongue") << "), row " << change->new_path.row
                  << '\n';
    };
    check(fr_list_add_observer(nullptr, list.get(), &observer, nullptr, nullptr));

    check(fr_store_execute(
        store.get(), "INSERT INTO greetings(word, tongue) VALUES ('moi', 'Finnish'), ('hej', 'Swedish')", nullptr, 0));

    // Exceptions must not pass through the library: a failure of a callback has to be stored and thrown here.
    auto first = make(fr_list_object_at, list.get(), fr_index_path{0, 0});
    std::cout << "first: " << text(first.get(), "word") << '\n';
    return 0;
}

} // namespace

int main()
{
    try {
        return run();
    } catch (const std::exception &failure) {
        std::cerr << "hello: " << failure.what() << '\n';
        return 1;
    }
}
