-- Every table has an integer key as the alias of its rowid: a bare rowid does not survive VACUUM. Ids are UUIDs in
-- lower case, so that two programs cannot write one id in two ways.

CREATE TABLE todo_list (
  row_key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id = lower(id)),
  name TEXT NOT NULL UNIQUE CHECK (trim(name) <> ''),
  position INTEGER
);

CREATE TABLE todo (
  row_key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id = lower(id)),
  list_id TEXT NOT NULL REFERENCES todo_list (id) ON DELETE CASCADE,
  title TEXT NOT NULL CHECK (trim(title) <> ''),
  note TEXT NOT NULL DEFAULT '',
  is_done INTEGER NOT NULL DEFAULT 0 CHECK (is_done IN (0, 1)),
  -- 1 high, 2 medium, 3 low: the rank it sorts by. NULL is none.
  priority INTEGER CHECK (priority BETWEEN 1 AND 3),
  -- UTC. A due day without a time of day is its midnight, with due_has_time 0.
  due TEXT,
  due_has_time INTEGER NOT NULL DEFAULT 0 CHECK (due_has_time IN (0, 1)),
  created TEXT,
  completed TEXT,
  position INTEGER,
  -- The line a todo came from, such as one of a todo.txt file, so that an untouched one is exported as it was.
  source TEXT
);

CREATE INDEX todo_by_list ON todo (list_id);

CREATE TABLE tag (
  row_key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (id = lower(id)),
  name TEXT NOT NULL UNIQUE CHECK (trim(name) <> '')
);

CREATE TABLE todo_tag (
  id INTEGER PRIMARY KEY,
  todo_id TEXT NOT NULL REFERENCES todo (id) ON DELETE CASCADE,
  tag_id TEXT NOT NULL REFERENCES tag (id) ON DELETE CASCADE,
  UNIQUE (todo_id, tag_id)
);

CREATE INDEX todo_tag_by_tag ON todo_tag (tag_id);
