-- The third version of the schema of a document's text, which has pictures and files.
insert into private.text_schemas (version) values (3);
