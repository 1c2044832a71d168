"""Task lists: sections that are rows, with or without tasks, reordered, renamed, and deleted with
their tasks.
"""

from fetchedresults import ChangeKind, EmptySections, Observer, Request, SectionMap, Store

SCHEMA = """
    CREATE TABLE lists (id INTEGER PRIMARY KEY, title TEXT NOT NULL, position INTEGER NOT NULL);
    CREATE TABLE tasks (
        id INTEGER PRIMARY KEY,
        title TEXT NOT NULL,
        list_id INTEGER REFERENCES lists (id) ON DELETE CASCADE
    );
    INSERT INTO lists VALUES (1, 'Home', 1), (2, 'Work', 2), (3, 'Some day', 3);
    INSERT INTO tasks (title, list_id) VALUES ('Water plants', 1), ('Call the bank', 2), ('Write report', 2);
"""


class Screen(Observer):
    """Shows the lists, and what changes in them."""

    def did_deliver(self, controller, changes):
        for change in changes:
            if change.kind is ChangeKind.SECTION:
                row = change.section_object
                what = "the tasks without a list" if row is None else f"list {row.title!r}"
            else:
                what = f"task {change.object.title!r}"
            columns = f" ({', '.join(change.changed_columns)})" if change.changed_columns else ""
            print(f"* {change.type.name.lower()} {what}: {place(change.old_path)} -> {place(change.new_path)}{columns}")

    def did_change(self, controller):
        show(controller)


def place(path):
    if path is None:
        return "nowhere"
    return f"section {path.section}" if path.row < 0 else f"row {path.row} of section {path.section}"


def show(lists: SectionMap) -> None:
    for section in lists:
        print("Without a list" if section.object is None else section.object.title)
        for task in section:
            print(f"    {task.title}")
    print()


def main() -> None:
    with Store() as store:
        store.executescript(SCHEMA)
        tasks, sections = Request("tasks", sort="title"), Request("lists", sort="position")
        lists = SectionMap(store, tasks, sections, "list_id", fetch=True)
        show(lists)
        lists.add_observer(Screen())

        store.update("lists", 1, title="House and garden")
        store.update("lists", 3, position=0)
        store.update("tasks", 1, list_id=3)
        store.insert("tasks", title="Sort the mail")
        store.delete("lists", 2)

        print("Without the empty ones:")
        lists.empty_sections = EmptySections.HIDDEN
        print("All:", [section.object and section.object.title for section in lists.all_sections])


if __name__ == "__main__":
    main()
