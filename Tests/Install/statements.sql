UPDATE items SET price = 1.5 WHERE name = 'apple'
UPDATE items SET name = 'sea salt' WHERE name = 'salt'

DELETE FROM items WHERE kind = 'vegetable'
INSERT INTO items VALUES (9, 'apple', 'twice', 1)
INSERT INTO items VALUES (9, 'rye', 'cereal', 3)
