import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";

let backend: TestBackend;
let ana: Person;
let ben: Person;
let workspace: string;
let document: string;
beforeAll(async () => {
  backend = await testBackend();
  [ana, ben] = await Promise.all([signUp(backend, "Ana"), signUp(backend, "Ben")]);
  [workspace, document] = [randomUUID(), randomUUID()];
  await ana.client.rpc(
    "append_events",
    plain(workspace, 0, [event("workspace.created", { name: "W" })]),
  );
  const created = event("document.created", { workspaceId: workspace, title: "D" });
  await ana.client.rpc("append_events", plain(document, 0, [created]));
});
afterAll(() => backend.stop());

const event = (type: string, body: object, more: object = {}) => ({
  id: randomUUID(),
  type,
  body: JSON.stringify(body),
  ...more,
});
const plain = (stream: string, expected_version: number | null, events: unknown) => ({
  stream,
  expected_version,
  events,
});

/** Calls append_events. With another `accept` header, the call is answered by REST. */
async function call(token: string | null, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${backend.url}/rest/v1/rpc/append_events`, {
    method: "POST",
    headers: {
      apikey: backend.keys.publishableKey,
      ...(token !== null && { authorization: `Bearer ${token}` }),
      "content-type": "application/json",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const {
    date: _date,
    "content-length": _length,
    "x-request-id": _id,
    ...rest
  } = Object.fromEntries(response.headers);
  return { status: response.status, headers: rest, body: (await response.json()) as unknown };
}
const throughRest = { accept: "application/json, */*" };

const edit = (more: object = {}) => event("document.edited", {}, { update: "AQID", ...more });
const cases: Record<string, () => unknown> = {
  "an edit": () => plain(document, null, [edit()]),
  "a batch": () =>
    plain(document, null, [edit(), edit(), event("document.renamed", { title: "E" })]),
  "a stale version": () => plain(document, 0, [event("document.renamed", { title: "E" })]),
  "a body that does not fit": () =>
    plain(document, null, [event("document.renamed", { title: 7 })]),
  "a phase that does not allow it": () => plain(document, null, [event("document.restored", {})]),
  "no events": () => plain(document, null, []),
  "too many events": () =>
    plain(
      document,
      null,
      Array.from({ length: 201 }, () => edit()),
    ),
  "an update that is too large": () =>
    plain(document, null, [edit({ update: "A".repeat(699056) })]),
  "an actor who is the caller": () => ({ ...plain(document, null, [edit()]), actor: ana.user.id }),
  "an actor without a value": () => ({ ...plain(document, null, [edit()]), actor: null }),
  "an actor other than the caller": () => ({
    ...plain(document, null, [edit()]),
    actor: ben.user.id,
  }),
  "an actor that is not a UUID": () => ({ ...plain(document, null, [edit()]), actor: "x" }),
  "events that are not an array": () => plain(document, null, { a: 1 }),
  "events as a string": () => plain(document, null, JSON.stringify([edit()])),
  "a stream that is not a UUID": () => plain("x", null, [edit()]),
  "an unknown stream": () => plain(randomUUID(), null, [edit()]),
  "a version that is not a number": () => ({
    ...plain(document, null, [edit()]),
    expected_version: "x",
  }),
  "a version as a string": () => ({ ...plain(document, null, [edit()]), expected_version: "0" }),
  "an extra argument": () => ({ ...plain(document, null, [edit()]), more: 1 }),
  "a missing argument": () => ({ stream: document, events: [edit()] }),
  "a body that is not JSON": () => "{",
  "a NUL character": () => plain(document, null, [event("document.renamed", { title: "\u0000" })]),
  "a NUL character in the type": () => plain(document, null, [event("document.\u0000", {})]),
  "a number in another notation": () =>
    JSON.stringify(plain(document, null, [edit({ clientIds: [4711] })])).replace("4711", "4.711e3"),
};

/** Returns the parts of two answers to the same append that must be equal. */
const comparable = (body: unknown) =>
  Array.isArray(body)
    ? body.map((ruling: Record<string, unknown>) => ({
        keys: Object.keys(ruling).sort(),
        toPhase: ruling.toPhase,
      }))
    : body;

test.each(Object.keys(cases))("[API-18] %s gets the same answer as through REST", async (name) => {
  const build = cases[name] ?? (() => null);
  const token = await ana.accessToken();
  const [direct, rest] = [await call(token, build()), await call(token, build(), throughRest)];
  expect([direct.status, direct.headers, comparable(direct.body)]).toEqual([
    rest.status,
    rest.headers,
    // A refusal may name the stream's version, which is the same for both calls.
    comparable(rest.body),
  ]);
});

test("[LOG-76] an append for another account is refused on both paths, and not recorded", async () => {
  const token = await ben.accessToken();
  const created = event("workspace.created", { name: "Ana's" });
  const body = { ...plain(randomUUID(), 0, [created]), actor: ana.user.id };
  for (const headers of [{}, throughRest])
    expect(await call(token, body, headers)).toMatchObject({
      status: 403,
      body: { message: "not-permitted", hint: "other-account" },
    });
  expect([...(await backend.sql`select id from public.events where id = ${created.id}`)]).toEqual(
    [],
  );
});

test("[API-18] each caller gets the same answer as through REST", async () => {
  const tokens = [
    null,
    await ben.accessToken(),
    backend.keys.secretKey,
    "x",
    `${await ana.accessToken()}x`,
  ];
  for (const token of tokens) {
    const body = plain(document, null, [event("document.renamed", { title: "Mine" })]);
    expect(await call(token, body)).toEqual(await call(token, body, throughRest));
  }
});

test("[API-18] a resent append gets its first answer on either path", async () => {
  const token = await ana.accessToken();
  const body = plain(document, null, [edit()]);
  const first = await call(token, body);
  expect(first.status).toBe(200);
  expect(await call(token, body, throughRest)).toEqual(first);
  expect(await call(token, body)).toEqual(first);
});

test("[API-18] a plain append runs with the caller's rights alone, and through REST otherwise", async () => {
  const token = await ana.accessToken();
  const body = plain(document, null, [edit()]);
  const [definitions] = await backend.sql`
    select pg_get_functiondef('embedded.append_events'::regproc) as text,
      pg_get_functiondef('public.append_events'::regproc) as open`;
  const seen =
    "jsonb_build_object('user', current_user, 'sub', " +
    "(current_setting('request.jwt.claims')::jsonb) ->> " +
    "'sub')";
  await backend.sql.unsafe(
    `create or replace function public.append_events(stream uuid, expected_version bigint, events
      jsonb, actor uuid default null) returns jsonb language sql as $$ select ${seen} $$`,
  );
  const asked = { user: "authenticated", sub: ana.user.id };
  expect((await call(token, body)).body).toEqual(asked);
  expect((await call(token, body, throughRest)).body).toEqual(asked);
  // The next request on the same connection must not see any state of the previous request.
  expect((await call(await ben.accessToken(), body)).body).toEqual({
    ...asked,
    sub: ben.user.id,
  });
  await backend.sql.unsafe(String(definitions?.open));
  await backend.sql`drop function embedded.append_events(text, uuid, bigint, jsonb, uuid)`;
  expect((await call(token, body)).status).toBe(200);
  await backend.sql.unsafe(String(definitions?.text));
});
