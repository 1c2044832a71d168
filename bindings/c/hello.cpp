// The same library from C++: handles that free themselves, exceptions, lambdas as observers
// (docs/cpp.md).
//
//     c++ -std=c++17 hello.cpp $(pkg-config --cflags --libs fetchedresults) -o hello

#include <fetchedresults.hpp>

#include <iostream>

namespace fr = fetchedresults;

static void run()
{
    fr::Store store(":memory:");
    store.execute("CREATE TABLE greetings(id INTEGER PRIMARY KEY, word TEXT, tongue TEXT)");

    fr::Controller list(store, fr::Request("greetings").sort("word", FR_ASCENDING, "NOCASE"));
    list.fetch();
    const fr::Observation observation = list.observe([](const fr::ChangeSet &changes) {
        for (const fr::Change change : changes) {
            const fr::Object greeting = change.object();
            std::cout << greeting["word"].text() << " (" << greeting["tongue"].text() << "), row "
                      << change.new_path()->row << '\n';
        }
    });
    store.execute("INSERT INTO greetings(word, tongue) VALUES (?1, ?2), (?3, ?4)",
                  {"moi", "Finnish", "hej", "Swedish"});

    std::cout << "first: " << list[0].get<std::string>("word") << '\n';
}

// Everything that was made is freed when run ends, however it ends.
int main()
{
    try {
        run();
        return 0;
    } catch (const fr::Error &error) {
        std::cerr << "hello: " << error.status_name() << ": " << error.what() << '\n';
    } catch (const std::exception &failure) {
        std::cerr << "hello: " << failure.what() << '\n';
    }
    return 1;
}
