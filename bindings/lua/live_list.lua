-- A live list in LuaJIT. docs/bindings.md explains the program.
local ffi = require "ffi"
ffi.cdef [[
typedef struct fr_store fr_store; typedef struct fr_request fr_request;
typedef struct fr_list fr_list; typedef struct fr_change_set fr_change_set;
typedef struct { int64_t section, row; } fr_index_path;
typedef struct { int32_t kind, type; uint32_t flags; int32_t index;
                 fr_index_path old_path, new_path;
                 uint64_t changed_columns; } fr_change;
typedef struct { size_t struct_size;
                 void *will_change, *section_changed, *object_changed, *did_change;
                 void (*did_deliver)(fr_list *, fr_change_set *, void *);
                 void *did_fail, *did_reload; } fr_observer;
const char *fr_error_message(void);
int32_t fr_store_open(fr_store **, const char *, const void *);
int32_t fr_store_execute_script(fr_store *, const char *);
int32_t fr_store_close(fr_store *);
int32_t fr_request_new(fr_request **, const char *);
void fr_request_free(fr_request *);
int32_t fr_controller_new(fr_list **, fr_store *, fr_request *);
int32_t fr_list_perform_fetch(fr_list *);
int32_t fr_list_add_observer(uint64_t *, fr_list *, const fr_observer *, void *,
                             void (*)(void *));
int32_t fr_list_free(fr_list *);
int32_t fr_change_set_records(const fr_change **, size_t *, fr_change_set *);
]]
local fr = ffi.load(os.getenv "FETCHEDRESULTS_LIBRARY" or "libfetchedresults.so.0")
local raised                        -- by a callback of the call that is under way

local function call(name, ...)
  local outer = raised
  raised = nil
  local failure = fr[name](...) ~= 0 and ffi.string(fr.fr_error_message())
  failure, raised = raised or failure, outer
  if failure then error(failure, 0) end
end
jit.off(call)                       -- compiled code can't be called back

local function new(type, free, name, ...)  -- a handle that is freed with its Lua value
  local out = ffi.new(type .. " *[1]")
  call(name, out, ...)
  return ffi.gc(out[0], free)
end

local receivers = {}                -- by the numbers that are the user data
local function number(data) return tonumber(ffi.cast("intptr_t", data)) end
local function release(data) receivers[number(data)] = nil end
local destroy = ffi.cast("void (*)(void *)", release)
local observer = ffi.new("fr_observer", { struct_size = ffi.sizeof "fr_observer" })
function observer.did_deliver(_, changes, data)
  local ok, message = pcall(receivers[number(data)], changes)
  if not ok then raised = raised or message end
end
local function observe(list, receive)
  local slot = #receivers + 1
  receivers[slot] = receive
  call("fr_list_add_observer", nil, list, observer, ffi.cast("void *", slot), destroy)
end

local store = new("fr_store", fr.fr_store_close, "fr_store_open", ":memory:", nil)
local function execute(sql) call("fr_store_execute_script", store, sql) end
execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)")
local request = new("fr_request", fr.fr_request_free, "fr_request_new", "tasks")
local tasks = new("fr_list", fr.fr_list_free, "fr_controller_new", store, request)
call("fr_list_perform_fetch", tasks)
observe(tasks, function(changes)
  local records, count = ffi.new "const fr_change *[1]", ffi.new "size_t[1]"
  call("fr_change_set_records", records, count, changes)
  for i = 0, tonumber(count[0]) - 1 do
    print("type " .. records[0][i].type, "row " .. tonumber(records[0][i].new_path.row))
  end
end)
execute("INSERT INTO tasks (title) VALUES ('Bake'), ('Call')")
observe(tasks, function() error("no room", 0) end)
print(pcall(execute, "INSERT INTO tasks (title) VALUES ('Plan')"))
print(pcall(execute, "INSERT INTO nowhere VALUES (1)"))
