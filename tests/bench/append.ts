// The cost of an append: inside the database, compared with plain inserts of the same rows, and
// over HTTP with 8 clients. Each client has its own workspace, or all share one, where appends wait
// for each other.
import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import type { ReservedSql } from "postgres";
import { z } from "zod";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { testDatabase } from "@/tests/support/database/database";
import { signUp } from "@/tests/support/writers/people";
import { traceEdits, readTrace } from "@/tests/support/recordings/traces";
import { newDocument, newToken, newWorkspace } from "@/tests/support/writers/workspaces";
import { percentile } from "./figures/percentile";

const most = { single: 0.8, batched: 0.1 };
const least = { appends: 400, events: 5000 };
const rounds = Number(process.env.ROUNDS ?? 400);
const seconds = Number(process.env.SECONDS ?? 8);
const clients = 8;
const turns = Number(process.env.TURNS ?? 3);

/** Returns the update of one second of typing, with a few edits. */
function flush(): string {
  const trace = readTrace("json-crdt-patch");
  const edits = trace ? traceEdits(trace).slice(0, 4) : [];
  return Buffer.from(
    edits.length > 0 ? encodeEdits(edits) : Uint8Array.from({ length: 48 }, (_, at) => at + 1),
  ).toString("base64");
}
const update = flush();

async function insideTheDatabase(): Promise<boolean> {
  const db = await testDatabase();
  let reserved: ReservedSql | null = null;
  try {
    const ana = db.newUser("Ana");
    const workspace = await newWorkspace(db, ana);
    await db.sql.unsafe(`
      create table public.raw_events (like public.events including indexes);
      create table public.raw_payloads (like public.event_payloads including indexes);
      create sequence raw;
      create function public.proposals(kind text, count int) returns jsonb language sql volatile as $$
        select jsonb_agg(jsonb_build_object('id', gen_random_uuid(), 'type', kind) || case kind
          when 'document.edited' then '{"body": "{}", "update": "${update}"}'::jsonb
          else '{"body": "{\\"title\\": \\"Minutes of the meeting\\"}"}'::jsonb end)
        from generate_series(1, count)
      $$`);
    const sql = await db.sql.reserve();
    reserved = sql;
    const claims = JSON.stringify({ sub: ana.id, role: "authenticated", email: ana.email });
    await sql.unsafe(`select set_config('request.jwt.claims', '${claims}', false)`);
    await sql.unsafe("set role authenticated; create temp table took (milliseconds float8)");
    const measured = async (kind: string, count: number, times: number) => {
      const document = await newDocument(db, ana, workspace);
      // Each append runs in its own transaction. The call is timed without the commit.
      await sql.unsafe(`truncate took`);
      await sql.unsafe(`do $$
        declare begun timestamptz; batch jsonb;
        begin
          for round in 1..${times + 20} loop
            batch := public.proposals('${kind}', ${count});
            begun := clock_timestamp();
            perform public.append_events('${document}', null, batch);
            if round > 20 then
              insert into took values (extract(epoch from clock_timestamp() - begun) * 1000);
            end if;
            commit;
          end loop;
        end $$`);
      const rows = await sql.unsafe<{ milliseconds: number }[]>("select milliseconds from took");
      return rows.map(({ milliseconds }) => milliseconds / count);
    };
    let isMet = true;
    const report = (what: string, times: number[], limit?: number) => {
      const median = percentile(times, 0.5);
      console.log(
        `${what}: median ${median.toFixed(3)} ms, p95 ${percentile(times, 0.95).toFixed(3)} ms an event`,
      );
      if (limit === undefined || median <= limit) return;
      console.error(`It takes ${median.toFixed(3)} ms an event; it must take at most ${limit} ms.`);
      isMet = false;
    };
    const single = await measured("document.edited", 1, rounds);
    const batched = await measured("document.edited", 100, Math.ceil(rounds / 8));
    const renamed = await measured("document.renamed", 1, rounds);
    const raw: number[] = [];
    await sql.unsafe("reset role");
    for (let round = 0; round < 50; round += 1) {
      const begun = performance.now();
      await sql.unsafe(`
        insert into public.raw_events (id, stream_id, stream_kind, workspace_id, version, position,
        type, subject_kind, subject_id,
          from_phase, to_phase, schema, actor_id, client_time, recorded_at, payload_hash, hash)
        select gen_random_uuid(), stream_id, stream_kind, workspace_id, nextval('raw'),
          currval('raw'), type, subject_kind, subject_id,
          from_phase, to_phase, schema, actor_id, client_time, recorded_at, payload_hash, hash
        from public.events where type = 'document.edited' limit 100`);
      raw.push((performance.now() - begun) / 100);
    }
    report("append_events, one edit", single, most.single);
    report("append_events, batches of 100 edits", batched, most.batched);
    report("append_events, one rename", renamed, most.single);
    report("a plain multi-row insert of 100 rows of events, with its round trip", raw);
    return isMet;
  } finally {
    reserved?.release();
    await db.stop();
  }
}

const started = z.object({
  url: z.string(),
  keys: z.object({ publishableKey: z.string(), secretKey: z.string(), jwtSecret: z.string() }),
});
const processor = z.object({ cpu: z.number() });

async function overHttp(): Promise<boolean> {
  const server = fork(fileURLToPath(new URL("servers/append-server.ts", import.meta.url)), {
    execArgv: ["--import", "tsx"],
  });
  const message = async (text?: string): Promise<unknown> => {
    const answer = once(server, "message");
    if (text) server.send(text);
    return (await answer)[0];
  };
  try {
    const stack = started.parse(await message());
    const rpc = async (token: string, name: string, input: object) => {
      const response = await fetch(`${stack.url}/rest/v1/rpc/${name}`, {
        method: "POST",
        headers: {
          apikey: stack.keys.publishableKey,
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
        },
        body: JSON.stringify(input),
      });
      const text = await response.text();
      if (!response.ok) throw new Error(text);
    };
    const call = (token: string, stream: string, events: unknown[]) =>
      rpc(token, "append_events", { stream, expected_version: null, events });
    const people = await Promise.all(
      Array.from({ length: clients }, async () => {
        const person = await signUp(stack, "Ana");
        return { person, token: await person.accessToken() };
      }),
    );
    const event = (type: string, body: object) => ({
      id: randomUUID(),
      type,
      body: JSON.stringify(body),
    });
    const newWorkspaceOf = async (token: string) => {
      const workspace = randomUUID();
      await call(token, workspace, [event("workspace.created", { name: "W" })]);
      return workspace;
    };
    /** Creates a workspace in which all people write. */
    const shared = async () => {
      const [owner, ...others] = people.map(({ token }) => token);
      if (owner === undefined) throw new Error("There are no people");
      const workspace = await newWorkspaceOf(owner);
      for (const other of others) {
        const [invitation, { token, tokenHash }] = [randomUUID(), newToken()];
        const body = { kind: "link", email: null, role: "editor", expiresAt: null, tokenHash };
        const subject = { kind: "invitation", id: invitation };
        await call(owner, workspace, [{ ...event("invitation.created", body), subject }]);
        await rpc(other, "accept_invitation", { invitation, token });
      }
      return workspace;
    };
    const measured = async (count: number, together: string | null = null, last = seconds) => {
      const documents = await Promise.all(
        people.map(async ({ token }) => {
          const document = randomUUID();
          const workspaceId = together ?? (await newWorkspaceOf(token));
          await call(token, document, [event("document.created", { workspaceId, title: "D" })]);
          return { token, document };
        }),
      );
      const times: number[] = [];
      const before = processor.parse(await message("cpu")).cpu;
      const begun = performance.now();
      const until = begun + last * 1000;
      await Promise.all(
        documents.map(async ({ token, document }) => {
          while (performance.now() < until) {
            const from = performance.now();
            const events = Array.from({ length: count }, () => ({
              ...event("document.edited", {}),
              update,
            }));
            await call(token, document, events);
            times.push(performance.now() - from);
          }
        }),
      );
      const passed = (performance.now() - begun) / 1000;
      const cpu = processor.parse(await message("cpu")).cpu - before;
      console.log(
        `over HTTP, ${clients} clients, ${count === 1 ? "single edits" : `batches of ${count}`}` +
          `${together === null ? "" : " in one workspace"}: ` +
          `${(times.length / passed).toFixed(0)} appends/s, ` +
          `${((times.length * count) / passed).toFixed(0)} events/s, median ` +
          `${percentile(times, 0.5).toFixed(1)} ms, p95 ` +
          `${percentile(times, 0.95).toFixed(1)} ms, ` +
          `${(cpu / times.length).toFixed(2)} ms of Node's processor time an append`,
      );
      return times.length / passed;
    };
    const appends = await measured(1);
    const batches = await measured(100);
    const workspace = await shared();
    for (const count of [1, 100]) {
      const rates: { apart: number; together: number }[] = [];
      // Measured in turn, so that other load on the machine affects both results.
      for (let turn = 0; turn < turns; turn += 1)
        rates.push({
          apart: await measured(count, null, seconds / 2),
          together: await measured(count, workspace, seconds / 2),
        });
      const ratios = rates.map(({ apart, together }) => together / apart);
      console.log(
        `${clients} documents of one workspace together, ${count === 1 ? "single edits" : `batches of ${count}`}: ` +
          `${percentile(
            rates.map(({ together }) => together),
            0.5,
          ).toFixed(0)} appends/s, ` +
          `${percentile(ratios, 0.5).toFixed(2)} of those of ${clients} workspaces ` +
          `(${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`,
      );
    }
    if (appends < least.appends || batches * 100 < least.events) {
      console.error(`The goals are ${least.appends} appends/s and ${least.events} events/s.`);
      return false;
    }
    return true;
  } finally {
    server.send("stop");
    await once(server, "exit");
  }
}

console.log(`(load of the machine: ${(loadavg()[0] ?? NaN).toFixed(1)})`);
const inside = await insideTheDatabase();
const outside = await overHttp();
if (!inside || !outside) process.exitCode = 1;
process.exit();
