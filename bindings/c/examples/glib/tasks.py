import gi

gi.require_version("FrG", "1")
from gi.repository import FrG, GLib  # noqa: E402

store = FrG.Store.new(":memory:", FrG.StoreFlags.DEFAULT)
store.execute_script("CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT)")
tasks = FrG.ListModel.new(store, FrG.Request(entity="tasks", sort=["title"]))


def show(_, position, removed, added):
    print(f"at {position}: {removed} removed, {added} added")
    for task in tasks:
        print(task.get_string("title"))


tasks.connect("items-changed", show)
store.execute(
    "INSERT INTO tasks (title) VALUES (?), (?)",
    GLib.Variant("(ss)", ("Call home", "Bake bread")),
)
store.execute(
    "UPDATE tasks SET title = 'Answer mail' WHERE title = ?",
    GLib.Variant("(s)", ("Call home",)),
)
