"""The records of a topic, as dumps and updates make them. Tables are never changed in place: copies share records."""


def key(record):
    return record.get("_type") or record.get("entityType"), record["id"]


def without_nulls(record):
    return {name: value for name, value in record.items() if value is not None}


def tables_of(dump):
    """Returns the records of a dump by type and id."""
    return {key(record): without_nulls(record) for record in dump["records"]}


def apply(tables, update):
    """Applies an update. Returns what does not fit: changes of unknown records, creations of known ones."""
    problems = []
    for record in update["records"]:
        name = record["entityType"], record["id"]
        change = record["changeType"]
        if (name in tables) == (change == "CREATE"):
            problems.append(f"{change} of {'a known' if change == 'CREATE' else 'an unknown'} {name[0]} '{name[1]}'")
        if change == "CREATE":
            tables[name] = without_nulls(record["entity"])
        elif change == "DELETE":
            tables.pop(name, None)
        elif name in tables:
            tables[name] = without_nulls({**tables[name], **record["changedProperties"]})
    return problems


def difference(found, expected):
    """Returns a text with the first differences of two tables; empty if they are equal."""
    if found == expected:
        return ""
    texts = []
    for name in sorted(set(found) | set(expected)):
        have, want = found.get(name), expected.get(name)
        if have == want:
            continue
        if have is None or want is None:
            texts.append(f"{name[0]} '{name[1]}' is {'missing' if have is None else 'not in the book'}")
        else:
            fields = [field for field in sorted(set(have) | set(want)) if have.get(field) != want.get(field)]
            texts.append(f"{name[0]} '{name[1]}': " + ", ".join(
                f"{field} {have.get(field)!r} instead of {want.get(field)!r}" for field in fields))
    return f"{len(texts)} records differ: " + "; ".join(texts[:5])
