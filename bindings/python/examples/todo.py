"""A todo list on the screen: each change is printed as it happens, and then the list."""

from fetchedresults import Controller, Observer, Store

SCHEMA = "CREATE TABLE tasks (id INTEGER PRIMARY KEY, title TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0)"
SECTIONS = {0: "To do", 1: "Done"}


class Screen(Observer):
    """Shows a list, and what changes in it."""

    def did_deliver(self, controller, changes):
        for change in changes.objects:
            places = f"{place(change.old_path)} -> {place(change.new_path)}"
            print(f"* {change.type.name.lower()} {change.object.title!r}: {places}")

    def did_change(self, controller):
        show(controller)


def place(path):
    return "nowhere" if path is None else f"row {path.row} of section {path.section}"


def show(tasks: Controller) -> None:
    for section in tasks:
        print(f"{SECTIONS[section.value]} ({section.count})")
        for task in section:
            print(f"    [{'x' if task.done else ' '}] {task.title}")
    print()


def main() -> None:
    with Store() as store:
        store.execute(SCHEMA)
        tasks = store.fetch("tasks", sort="title", section="done")
        tasks.add_observer(Screen())

        with store.transaction():
            milk = store.insert("tasks", title="Buy milk")
            store.insert("tasks", title="Call grandmother")
            store.insert("tasks", title="Answer the letter")

        store.update("tasks", milk.identity, done=True)
        store.execute("UPDATE tasks SET title = 'Write a long answer' WHERE title LIKE 'Answer%'")
        store.execute("DELETE FROM tasks WHERE done")


if __name__ == "__main__":
    main()
