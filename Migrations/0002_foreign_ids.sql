-- Which item of another program's file a todo is, so that a second import of it is an update, and in which format the
-- item is that `source` holds. NULL there is a line of todo.txt.
ALTER TABLE todo ADD COLUMN source_format TEXT;
ALTER TABLE todo ADD COLUMN external_id TEXT;

CREATE UNIQUE INDEX todo_by_external_id ON todo (external_id);
