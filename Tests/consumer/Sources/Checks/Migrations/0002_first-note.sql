-- A text with what a literal of Swift would take for its own: "quotes", \n, \(id), """ and #.
INSERT INTO note (id, text)
VALUES ('00000000-0000-0000-0000-000000000001', '"""\(id)\n#" 列表 👩‍👩‍👧
	second line');
