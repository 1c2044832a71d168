"""A search page: people, messages and files as one list, each with a word for "no results", while
the text changes.
"""

from fetchedresults import Collection, Controller, Observer, Placeholder, Request, Store

SCHEMA = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT NOT NULL, initial TEXT AS (substr(name, 1, 1)));
    CREATE TABLE messages (id INTEGER PRIMARY KEY, subject TEXT NOT NULL, sender_id INTEGER REFERENCES people (id));
    CREATE TABLE files (id INTEGER PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL);
    INSERT INTO people (name) VALUES ('Anna'), ('Anders'), ('Bela');
    INSERT INTO messages (subject, sender_id) VALUES ('Annual report', 3), ('Budget', 1), ('Answers', 3);
    INSERT INTO files (name, folder) VALUES ('annual.pdf', 'Texts'), ('budget.ods', 'Texts'), ('ants.png', 'Pictures');
"""
# What is looked for, by which column, in which sections.
KINDS = [("people", "name", "initial"), ("messages", "subject", "sender_id.name"), ("files", "name", "folder")]


class SearchPage(Observer):
    """Shows what was found, and what changes in it."""

    def __init__(self, store: Store) -> None:
        self.placeholders = [Placeholder(f"No {entity}") for entity, _, _ in KINDS]
        lists = [
            Controller(store, Request(entity, sort=column, section=section, columns=["id", column]))
            for entity, column, section in KINDS
        ]
        self.found = Collection(zip(lists, self.placeholders), fetch=True)
        self.found.add_observer(self)

    def search(self, text: str) -> None:
        print(f"== {text!r}")
        for (entity, column, _), child, placeholder in zip(KINDS, self.found.children, self.placeholders):
            placeholder.name = f"No {entity} with {text!r}"
            child.request = child.request.replace(predicate=f"instr(lower({column}), lower(?))", params=[text])
        self.show()

    def did_deliver(self, controller, changes):
        for change in changes:
            what = f"section {change.section_name!r}" if change.object is None else title(change.object)
            print(f"* {change.type.name.lower()} {what}")

    def show(self) -> None:
        kind = None
        for section in self.found:
            child = self.found.child_of_section(section.section_index)
            if child is not kind:
                kind = child
                print(child.request.entity.upper())
            print(f"  {section.name}")
            for item in section:
                print(f"    {title(item)}")
        print()


def title(item) -> str:
    """What is shown of an object: the column beside its id."""
    return list(item.values())[1]


def main() -> None:
    with Store() as store:
        store.executescript(SCHEMA)
        page = SearchPage(store)
        page.show()
        page.search("ann")
        page.search("anna")

        print("== a file comes")
        store.insert("files", name="anna.jpg", folder="Pictures")
        page.show()


if __name__ == "__main__":
    main()
