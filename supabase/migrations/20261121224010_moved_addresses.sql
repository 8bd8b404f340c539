-- Remembers the address in the caller's token, for the people of their workspaces to see: in all of these at once, whatever
-- the caller is about. Until now only a fold of the whole log gave it to the others.
create or replace function private.remember_email(person uuid) returns void
language plpgsql set search_path = '' as $$
begin
  insert into private.emails as known (user_id, email)
  select person, lower(auth.jwt() ->> 'email') where coalesce(auth.jwt() ->> 'email', '') <> ''
  on conflict (user_id) do update set email = excluded.email where known.email <> excluded.email;
  if found then
    perform private.name_member(person);
  end if;
end;
$$;
select private.name_member(known.user_id) from private.emails known;
