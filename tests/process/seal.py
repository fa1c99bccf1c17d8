"""The seal of a results database, as who forges one computes it: docs/record.md."""
import contextlib
import hashlib
import sqlite3
import struct


def field_bytes(value):
    if value is None:
        return b"\x05" + bytes(8)
    if isinstance(value, int):
        return b"\x01" + value.to_bytes(8, "little", signed=True)
    if isinstance(value, float):
        return b"\x02" + struct.pack("<d", value)
    data = value.encode() if isinstance(value, str) else value
    return (b"\x03" if isinstance(value, str) else b"\x04") + len(data).to_bytes(8, "little") + data


def row_digest(row):
    """A row's part of the seal."""
    return int.from_bytes(hashlib.blake2b(b"".join(map(field_bytes, row)), digest_size=32).digest(), "little")


def seal_again(path, *tables):
    """Makes the seal of these tables, or of every one, for the rows that it has."""
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        for table in tables or [name for name, in database.execute("SELECT name FROM seal").fetchall()]:
            columns = [column for _, column, *_ in database.execute(f"PRAGMA table_info({table})")]
            if table == "set_aside":  # as GAME_COLUMNS of store_sqlite.h, with the attempt at the end
                columns.append(columns.pop(columns.index("attempt")))
            rows = database.execute(f"SELECT {','.join(c for c in columns if c != 'record')} FROM {table}").fetchall()
            total = sum(map(row_digest, rows)) % 2 ** 256
            database.execute("UPDATE seal SET rows=?, sum=? WHERE name=?", (len(rows), total.to_bytes(32, "little"), table))
