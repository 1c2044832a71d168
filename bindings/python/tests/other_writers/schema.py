"""The tables that all write to."""

from __future__ import annotations

SCHEMA = """
    CREATE TABLE sections (id INTEGER PRIMARY KEY, title TEXT);
    CREATE TABLE items (
        id INTEGER PRIMARY KEY,
        name TEXT,
        section TEXT,
        size,
        section_id INTEGER REFERENCES sections (id),
        blob BLOB
    );
    CREATE INDEX items_by_section ON items (section, name);
    CREATE TABLE pairs (a INTEGER, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
    CREATE TABLE marks (writer INTEGER PRIMARY KEY, lap INTEGER, commits INTEGER);
    CREATE VIEW titled AS
        SELECT items.id AS id, name, size, title FROM items LEFT JOIN sections ON sections.id = section_id;
    INSERT INTO sections VALUES (1, 'one'), (2, 'two'), (3, 'three');
"""

TABLES = ["sections", "items", "pairs", "marks"]

ATTACHED_SCHEMA = "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)"
