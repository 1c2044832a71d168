// Callbacks that do not return: by longjmp, and by a C++ exception that passes through the library.
// Each case runs in a process of its own. Afterwards every call on the store returns FR_MISUSE,
// also from deeper in the stack, the store can be closed, what was committed is stored, and other
// stores continue to work.
#include <csetjmp>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <fetchedresults.h>

namespace {

enum class Way { jump, exception };

struct Jumped : std::exception {};

std::jmp_buf target;
Way way;
bool armed;
int faults;

void leave()
{
    if (!armed) {
        return;
    }
    armed = false;
    if (way == Way::exception) {
        throw Jumped();
    }
    std::longjmp(target, 1);
}

void check(bool condition, const char *what)
{
    if (!condition) {
        std::printf("  %s\n", what);
        faults++;
    }
}

void on_bracket(fr_list *, void *)
{
    leave();
}
void on_changes(fr_list *, fr_change_set *, void *)
{
    leave();
}
void on_object(fr_list *, fr_object *, const fr_change *, fr_change_set *, void *)
{
    leave();
}
void on_completion(fr_list *, const fr_error *, void *)
{
    leave();
}

bool on_progress(int64_t, void *)
{
    leave();
    return true;
}

int32_t compare(const char *a, size_t a_length, const char *b, size_t b_length, void *)
{
    leave();
    int order = std::memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order != 0 ? order : static_cast<int32_t>(a_length) - static_cast<int32_t>(b_length);
}

fr_status in_transaction(fr_store *store, void *)
{
    fr_store_execute(store, "INSERT INTO t VALUES (50, 'lost')", nullptr, 0);
    leave();
    return FR_OK;
}

struct World {
    std::string path = "/tmp/fetchedresults-jumps-" + std::to_string(getpid()) + ".db";
    fr_store *store = nullptr;
    fr_store *other = nullptr;
    fr_request *request = nullptr;
    fr_list *list = nullptr;

    World()
    {
        fr_store_open(&store, path.c_str(), nullptr);
        fr_store_open(&other, ":memory:", nullptr);
        fr_store_add_collation(store, "calling", compare, nullptr, nullptr);
        fr_store_execute_script(
            store, "CREATE TABLE t(id INTEGER PRIMARY KEY, n TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'b')");
        fr_request_new(&request, "t");
        fr_controller_new(&list, store, request);
        fr_list_perform_fetch(list);
    }

    ~World()
    {
        fr_list_free(list);
        fr_request_free(request);
        fr_store_close(other);
        for (const char *suffix : {"", "-wal", "-shm"}) {
            unlink((path + suffix).c_str());
        }
    }

    void observe(const fr_observer &observer) { fr_list_add_observer(nullptr, list, &observer, nullptr, nullptr); }
    void write() { fr_store_execute(store, "INSERT INTO t VALUES (3, 'c')", nullptr, 0); }
};

struct Case {
    const char *name;
    std::function<void(World &)> prepare;
    std::function<void(World &)> run;
    int rows; // that are committed
};

fr_observer observer()
{
    fr_observer result = fr_observer();
    result.struct_size = sizeof result;
    return result;
}

void write(World &world)
{
    world.write();
}
void nothing(World &) {}

// clang-format off
const Case cases[] = {
    {"will_change", [](World &w) { fr_observer o = observer(); o.will_change = on_bracket; w.observe(o); }, write, 3},
    {"object_change",
     [](World &w) { fr_observer o = observer(); o.object_changed = on_object; w.observe(o); }, write, 3},
    {"changes", [](World &w) { fr_observer o = observer(); o.did_deliver = on_changes; w.observe(o); }, write, 3},
    {"did_change", [](World &w) { fr_observer o = observer(); o.did_change = on_bracket; w.observe(o); }, write, 3},
    {"did_change of a transaction",
     [](World &w) { fr_observer o = observer(); o.did_change = on_bracket; w.observe(o); },
     [](World &w) { fr_store_begin(w.store, FR_IMMEDIATE); w.write(); fr_store_commit(w.store); }, 3},
    {"reload",
     [](World &w) { fr_observer o = observer(); o.did_reload = on_bracket; w.observe(o); fr_controller_pause(w.list); },
     [](World &w) { fr_controller_resume(w.list, true); }, 2},
    {"progress", nothing, [](World &w) { fr_list_perform_fetch_with_progress(w.list, on_progress, nullptr); }, 2},
    {"collation", [](World &w) { fr_request_add_sort(w.request, "n", 0, "calling"); },
     [](World &w) { fr_controller_set_request(w.list, w.request); }, 2},
    {"transaction", nothing, [](World &w) { fr_store_transaction(w.store, in_transaction, nullptr); }, 2},
    {"completion", nothing,
     [](World &w) {
         fr_list_perform_fetch_async(w.list, nullptr, on_completion, nullptr, nullptr);
         while (armed) {
             fr_store_wait(w.store, 1000);
         }
     }, 2},
};
// clang-format on

// Uses more of the stack than the library's frames did.
__attribute__((noinline)) fr_status deeper(const std::function<fr_status()> &call, int depth)
{
    volatile char room[1 << 12];
    room[0] = 0;
    fr_status status = depth == 0 ? call() : deeper(call, depth - 1);
    room[sizeof room - 1] = 0;
    return status;
}

void leave_from(const Case &each, World &world)
{
    armed = true;
    if (way == Way::exception) {
        try {
            each.run(world);
        } catch (const Jumped &) {
        }
    } else if (setjmp(target) == 0) {
        each.run(world);
    }
    check(!armed, "the callback was not called");
}

int run_case(const Case &each, bool is_deeper)
{
    World world;
    each.prepare(world);
    leave_from(each, world);
    int64_t count = 0;
    fr_statement *statement = nullptr;
    fr_list *list = nullptr;
    const std::pair<const char *, std::function<fr_status()>> calls[] = {
        {"execute", [&] { return fr_store_execute(world.store, "INSERT INTO t VALUES (9, 'x')", nullptr, 0); }},
        {"begin", [&] { return fr_store_begin(world.store, FR_IMMEDIATE); }},
        {"commit", [&] { return fr_store_commit(world.store); }},
        {"dispatch", [&] { return fr_store_dispatch(world.store); }},
        {"fetch", [&] { return fr_list_perform_fetch(world.list); }},
        {"count", [&] { return fr_list_count(&count, world.list); }},
        {"prepare", [&] { return fr_statement_prepare(&statement, world.store, "SELECT 1"); }},
        {"controller", [&] { return fr_controller_new(&list, world.store, world.request); }},
    };
    for (const auto &call : calls) {
        fr_status status = is_deeper ? deeper(call.second, 8) : call.second();
        check(status == FR_MISUSE, call.first);
    }
    check(fr_store_execute(world.other, "CREATE TABLE u(x)", nullptr, 0) == FR_OK, "another store");
    check(fr_store_close(world.store) == FR_OK, "close");
    fr_store *again = nullptr;
    fr_list *rows = nullptr;
    fr_request *all = nullptr;
    fr_store_open(&again, world.path.c_str(), nullptr);
    fr_request_new(&all, "t");
    fr_controller_new(&rows, again, all);
    fr_list_perform_fetch(rows);
    fr_list_count(&count, rows);
    check(count == each.rows, "the committed rows");
    check(fr_store_execute(again, "INSERT INTO t VALUES (10, 'y')", nullptr, 0) == FR_OK,
          "writing after it was opened again");
    fr_list_free(rows);
    fr_request_free(all);
    fr_store_close(again);
    return faults;
}

} // namespace

int main()
{
    int passed = 0, failed = 0;
    for (const Case &each : cases) {
        for (Way each_way : {Way::jump, Way::exception}) {
            for (bool is_deeper : {false, true}) {
                std::fflush(stdout);
                pid_t child = fork();
                if (child == 0) {
                    alarm(60);
                    way = each_way;
                    std::exit(run_case(each, is_deeper) == 0 ? EXIT_SUCCESS : EXIT_FAILURE);
                }
                int status = 0;
                waitpid(child, &status, 0);
                bool is_right = WIFEXITED(status) && WEXITSTATUS(status) == 0;
                std::printf("%s jumps.%s, %s%s\n", is_right ? "ok  " : "FAIL", each.name,
                            each_way == Way::jump ? "longjmp" : "exception", is_deeper ? ", deeper" : "");
                (is_right ? passed : failed)++;
            }
        }
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
