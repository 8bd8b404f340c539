-- The second version of the schema of a document's text, which has links to documents.
insert into private.text_schemas (version) values (2);
