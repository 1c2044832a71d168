"""A list beside an ORM: SQLAlchemy has the program's objects and writes, the list
follows what any session commits: beside_an_orm.py DATABASE."""

import sys

import gi

gi.require_version("FrG", "1")
from gi.repository import FrG, GLib  # noqa: E402
from sqlalchemy import Column, Integer, Text, create_engine  # noqa: E402
from sqlalchemy.orm import Session, declarative_base  # noqa: E402

Base = declarative_base()


class Task(Base):
    __tablename__ = "tasks"
    id = Column(Integer, primary_key=True)
    title = Column(Text, nullable=False)


def follow(tasks, session, report):
    """Reports the session's own objects of the rows, after each commit of anybody."""

    def delivered(_):
        session.rollback()  # ends the snapshot of the session, and expires its objects
        report([session.get(Task, row["id"]) for row in tasks])

    tasks.connect("delivered", delivered)


def main(path):
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": 30})
    Base.metadata.create_all(engine)
    reports = []
    reader, writer = Session(engine), Session(engine)
    with FrG.Store.new(path, 0) as store, reader, writer:
        tasks = FrG.ListModel.new(store, FrG.Request(entity="tasks", sort=["title"]))
        follow(tasks, reader, reports.append)
        for change in (
            lambda: writer.add_all([Task(title="Call home"), Task(title="Bake bread")]),
            lambda: setattr(writer.get(Task, 2), "title", "Drink tea"),
            lambda: writer.delete(writer.get(Task, 1)),
        ):
            change()
            writer.commit()
            seen = len(reports)
            while len(reports) == seen:
                GLib.MainContext.default().iteration(True)
            tasks_now = reports[-1]
            is_same = tasks_now[0] is reader.get(Task, tasks_now[0].id)
            print([task.title for task in tasks_now], is_same)


if __name__ == "__main__":
    main(sys.argv[1])
