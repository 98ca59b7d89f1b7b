"""Writes databases of many shapes into a directory, each with what SQLite itself reads from it."""

import json
import os
import random
import shutil
import sqlite3
import sys

directory, seed = sys.argv[1], int(sys.argv[2])
random.seed(seed)


def text(length):
    return "".join(random.choice("abc\u00e9\u4e2d\n'\"{}") for _ in range(length))


def value():
    kinds = [None, 0, 1, -1, 127, -128, 300, -40000, 8_000_000, 2**31, -(2**40), 2**50, -(2**62), 0.5, -1e300, b"\0x"]
    return random.choice([*kinds, text(random.randrange(40)), text(random.randrange(6000))])


def fill(connection, rows):
    for _ in range(rows):
        connection.execute("INSERT INTO part (id, data, n) VALUES (?, ?, ?)", (text(12) + str(random.random()), value(), value()))
        if random.random() < 0.2:
            connection.execute("DELETE FROM part WHERE rowid IN (SELECT rowid FROM part ORDER BY random() LIMIT 1)")


for number in range(24):
    path = os.path.join(directory, f"{number}.db")
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute(f"PRAGMA page_size = {random.choice([512, 1024, 4096, 65536])}")
    in_log = number % 2 == 1
    connection.execute(f"PRAGMA journal_mode = {'wal' if in_log else 'delete'}")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.execute("CREATE TABLE other (a, b)")
    connection.execute("CREATE TABLE `part` (`id` text PRIMARY KEY, `data` text, n, CONSTRAINT c CHECK (1))")
    connection.execute("CREATE TABLE session (number INTEGER PRIMARY KEY, name TEXT)")
    connection.execute("BEGIN")
    fill(connection, random.choice([0, 1, 20, 400]))
    connection.execute("COMMIT")
    if random.random() < 0.5:
        connection.execute("ALTER TABLE part ADD COLUMN late text")
    connection.execute("INSERT INTO session VALUES (7, 'seven'), (-3, 'minus three'), (9000000000, 'large')")
    if number % 3 == 0:
        connection.execute("PRAGMA wal_checkpoint(FULL)" if in_log else "VACUUM")
    fill(connection, 15)
    names = {"part": "rowid", "session": "number"}
    expected = {}
    for table, order in names.items():
        rows = connection.execute(f"SELECT rowid AS '$row', * FROM {table} ORDER BY {order}")
        columns = [column[0] for column in rows.description]
        plain = lambda v: None if isinstance(v, bytes) else v
        expected[table] = [dict(zip(columns, map(plain, row))) for row in rows]
    # While it is open, the log is not copied into the file.
    for ending in ["", "-wal"]:
        if os.path.exists(path + ending):
            shutil.copy(path + ending, os.path.join(directory, f"copy-{number}.db{ending}"))
    with open(os.path.join(directory, f"copy-{number}.json"), "w") as file:
        json.dump(expected, file)
    connection.close()
