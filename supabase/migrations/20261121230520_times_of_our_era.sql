-- No clock of a proposal is taken for earlier than 1970. A time before our era has no form that readers of the log are given: who
-- began a stream with one made every later verification of it say that the chain was broken.
alter table private.streams alter column client_time set default '1970-01-01T00:00:00Z';
