import { afterAll, beforeAll, expect, it } from "vitest";
import { testDatabase, verdict } from "@/tests/support/database/database";
import type { TestDatabase, User } from "@/tests/support/database/database";
import { granted, newDocument, newWorkspace } from "@/tests/support/writers/workspaces";

let db: TestDatabase;
let ana: User;
let document: string;
beforeAll(async () => {
  db = await testDatabase();
  ana = db.newUser("Ana");
  document = await newDocument(db, ana, await newWorkspace(db, ana));
});
afterAll(() => db.stop());

// The migration of a new event type with a column: the law (transition table), the column, and one
// function.
const migration = `
  insert into private.transitions (stream_kind, subject_kind, from_phase, event_type, to_phase, needs) values
    ('document', 'document', 'live', 'document.marked', 'live', 'editor');
  insert into private.schemas (event_type, version, stream_kind, subject_kind, carries_update, shape) values
    ('document.marked', 1, 'document', 'document', false,
    '{"type":"object","properties":{"mark":{"type":"string","min":0,"max":8}}}');
  alter table public.documents add column mark text;
  create function private.project_document_mark(e public.events, body jsonb) returns void
  language plpgsql set search_path = '' as $$
  begin
    update public.documents d set mark = body ->> 'mark' where d.id = e.stream_id;
  end;
  $$;
  insert into private.projection_hooks (event_type, function) values ('document.marked', 'project_document_mark');`;

const state = async () => {
  const [row] =
    await db.sql`select mark, title, version::int, edits::int from documents where id = ${document}`;
  return row;
};

it("[LOG-62] a later migration projects a new column by one new function", async () => {
  const marked = { type: "document.marked", body: { mark: "✦" } };
  expect(verdict(await db.append(ana, document, null, [marked]))).toBe("invalid-event");
  await db.sql.unsafe(migration);
  granted(
    await db.append(ana, document, null, [
      marked,
      { type: "document.renamed", body: { title: "B" } },
    ]),
  );
  expect(await state()).toEqual({ mark: "✦", title: "B", version: 3, edits: 0 });
  await db.sql`select rebuild_projections()`;
  expect(await state()).toEqual({ mark: "✦", title: "B", version: 3, edits: 0 });
});

it("[LOG-62] a hook of edits sees each edit, in batches as well", async () => {
  await db.sql.unsafe(`
    create table public.seen (version bigint);
    create function private.project_seen(e public.events, body jsonb) returns void
    language sql set search_path = '' as $$ insert into public.seen select e.version $$;
    insert into private.projection_hooks (event_type, function) values ('document.edited', 'project_seen')`);
  const edit = { type: "document.edited", body: {}, update: Uint8Array.of(1, 2, 3) };
  granted(await db.append(ana, document, null, [edit, edit, edit]));
  const seen = await db.sql<
    { version: number }[]
  >`select version::int from public.seen order by version`;
  expect(seen.map(({ version }) => version)).toEqual([4, 5, 6]);
  expect(await state()).toMatchObject({ version: 6, edits: 3 });
});

it("[LOG-62] a later migration checks a body's meaning by one function", async () => {
  await db.sql.unsafe(`
    create function private.check_mark(p private.proposal, body jsonb, stream uuid, reached bigint) returns void
    language plpgsql set search_path = '' as $$
    begin
      if body ->> 'mark' = 'no' then
        perform private.refuse('invalid-event', 'body-malformed', 'there is no such mark');
      end if;
    end;
    $$;
    insert into private.meaning_hooks (event_type, function) values ('document.marked', 'check_mark')`);
  const mark = (text: string) => ({ type: "document.marked", body: { mark: text } });
  expect(verdict(await db.append(ana, document, null, [mark("no")]))).toBe("invalid-event");
  granted(await db.append(ana, document, null, [mark("✧")]));
  expect(await state()).toMatchObject({ mark: "✧" });
});
