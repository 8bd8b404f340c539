import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import * as Y from "yjs";
import { schemaVersion } from "@/events/content/schema";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import type { Edit } from "@/events/crdt/payload/payload";
import { Recording } from "@/events/history/timeline/recording";
import { readSegment } from "@/events/history/segments/segment-reader";
import { readSnapshot, writeSnapshot } from "@/events/crdt/validation/snapshot";
import { supabaseStore } from "@/events/log/store";
import type { RawStore } from "@/events/log/store";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { launchBrowser } from "@/tests/support/product/browser";
import { service, signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { segmentedSession } from "./sessions/segmented-session";
import { benchSession } from "./sessions/sessions";
import type { SessionName } from "./sessions/sessions";
import { openTimed, signedInState } from "./sessions/timed-opening";
import type { Opening } from "./sessions/timed-opening";

const name = (process.env.SESSION ?? "session-1m") as SessionName;
const rounds = Number(process.env.ROUNDS ?? 9);
const most = { ratio: 1.25, tail: 64 };
const folder = join(tmpdir(), "palimpsest-bench", `opening-${name}.2`);
/** The ids of the two documents and the account that may open them, stored beside the data. */
const notes = `${folder}.json`;
// The start of the log is laid in events of many edits. Opening reads none of these events, and
// laying them takes minutes even so.
const perEvent = 1500;
const perAppend = 20;

type Notes = { person: { email: string; password: string }; written: string; pasted: string };

const proposal = (edits: Edit[], clientIds: number[]) => ({
  id: randomUUID(),
  type: "document.edited",
  body: {},
  clientTime: new Date(edits[0]?.time ?? 0).toISOString(),
  update: encodeEdits(edits),
  clientIds,
  schema: schemaVersion,
});

async function lay(
  stack: Stack,
  store: RawStore,
  document: string,
  batches: Edit[][],
): Promise<void> {
  const bound = new Set<number>();
  const proposals = batches.map((edits) => {
    const clients = new Set(
      edits.flatMap(({ update }) => inspectUpdate(update).structs.map(({ client }) => client)),
    );
    const clientIds = [...clients].filter((client) => !bound.has(client));
    for (const client of clientIds) bound.add(client);
    return proposal(edits, clientIds);
  });
  // Creating the proposals took longer than the server's keep-alive timeout. The client has to see
  // the connection close before it is reused.
  await delay(200);
  for (let at = 0; at < proposals.length; at += perAppend) {
    granted(await store.append(document, null, proposals.slice(at, at + perAppend)));
    // Maintenance is a separate measurement. In the worst case, a reader finds the snapshot from
    // before the tail.
    await service(stack).rpc("take_upkeep", { max_count: 64, settled: "0 seconds" });
  }
}

/** Returns a session's edits: many per event, but one event per second and person in the tail. */
function batchesOf(name: SessionName): Edit[][] {
  const session = benchSession(name);
  if (!session) return [];
  const flushed = session.rows.flatMap(({ update, clientTime }) =>
    update ? [decodeEdits(update, Date.parse(clientTime))] : [],
  );
  const early = flushed.slice(0, -most.tail).flat();
  const bulk = Array.from({ length: Math.ceil(early.length / perEvent) }, (_, index) =>
    early.slice(index * perEvent, (index + 1) * perEvent),
  );
  return [...bulk, ...flushed.slice(-most.tail)];
}

/** Returns the newest text of a session, as Yjs holds an open document. */
async function newest(name: SessionName): Promise<Y.Doc> {
  const recording = new Recording();
  for (const bytes of (await segmentedSession(name))?.segments ?? []) readSegment(recording, bytes);
  const doc = new Y.Doc();
  Y.applyUpdate(doc, recording.state());
  return doc;
}

/** Returns the same text as one person pastes it into a new document, in events of maximum size. */
function pastes(doc: Y.Doc): Edit[][] {
  const fresh = new Y.Doc();
  const made: Edit[][] = [];
  fresh.on("update", (update: Uint8Array) => made.push([{ update, time: made.length }]));
  const blocks = doc
    .getXmlFragment("default")
    .toArray()
    .flatMap((block) => (block instanceof Y.XmlElement ? [block.clone()] : []));
  for (let at = 0; at < blocks.length; at += 500)
    fresh.getXmlFragment("default").insert(at, blocks.slice(at, at + 500));
  return made;
}

async function prepare(stack: Stack): Promise<Notes> {
  const ana = await signUp(stack, "Ana");
  const store = supabaseStore(ana.client);
  const doc = await newest(name);
  const [written, pasted] = [await meet([ana]), await meet([ana])];
  const batches = batchesOf(name);
  await lay(stack, store, pasted, pastes(doc));
  await lay(stack, store, written, batches.slice(0, -most.tail));
  // The state before the tail, which many maintenance steps would produce.
  const before = new Y.Doc();
  await delay(200);
  const rows = await store.read(written, 0);
  const head = rows.at(-1);
  const recording = new Recording();
  for (const row of rows) recording.add(row, null);
  Y.applyUpdate(before, recording.state());
  const owners = rows.flatMap(({ clientIds, actorId }) =>
    clientIds.map((client): [number, string] => [client, actorId]),
  );
  if (!head) throw new Error("Nothing was laid.");
  const state = Y.encodeStateAsUpdate(before);
  await delay(200);
  await writeSnapshot(
    service(stack),
    written,
    { version: head.version, state, owners, schema: schemaVersion },
    { head: head.hash },
  );
  await lay(stack, store, written, batches.slice(-most.tail));
  const saved = { person: { email: ana.email, password: ana.password }, written, pasted };
  writeFileSync(notes, JSON.stringify(saved));
  return saved;
}

/**
 * Opens a document with a long history and the same text pasted once, in turn, in the whole
 * product.
 */
async function benchOpening(): Promise<void> {
  if (!benchSession(name)) return console.log(`${name}: the recording is not here, not measured`);
  const stack = await startStack({ dataDir: folder });
  const browser = await launchBrowser();
  try {
    // The cast is safe, because this program wrote the file.
    const saved = existsSync(notes)
      ? (JSON.parse(readFileSync(notes, "utf8")) as Notes)
      : await prepare(stack);
    const cookies = await signedInState(browser, stack, saved.person);
    const [written, pasted]: [Opening[], Opening[]] = [[], []];
    await openTimed(browser, cookies, stack, saved.written);
    await openTimed(browser, cookies, stack, saved.pasted);
    for (let round = 0; round < rounds; round += 1) {
      written.push(await openTimed(browser, cookies, stack, saved.written));
      pasted.push(await openTimed(browser, cookies, stack, saved.pasted));
    }
    const all = service(stack);
    const snapshot = await readSnapshot(all, saved.written);
    const tail = (await supabaseStore(all).read(saved.written, snapshot?.version ?? 0)).length;
    const ratio = (part: keyof Opening) =>
      percentile(
        written.map((each, index) => each[part] / (pasted[index]?.[part] ?? NaN)),
        0.5,
      );
    const middle = (of: Opening[], part: keyof Opening) =>
      percentile(
        of.map((each) => each[part]),
        0.5,
      );
    const met = ratio("read") <= most.ratio && ratio("typed") <= most.ratio && tail <= most.tail;
    console.log(
      `${name}: opened ${rounds} times each in turns with the same text ` +
        "pasted once, in the whole product; load " +
        `${(loadavg()[0] ?? NaN).toFixed(1)}`,
    );
    for (const [part, what] of [
      ["read", "until it can be read"],
      ["typed", "until it can be typed in"],
    ] as const) {
      console.log(
        `  ${what}, ms, medians: written ${middle(written, part).toFixed(0)}, pasted ` +
          `${middle(pasted, part).toFixed(0)}; median ratio ${ratio(part).toFixed(2)}`,
      );
    }
    console.log(
      "  bytes of the page: written " +
        `${(middle(written, "bytes") / 1e6).toFixed(2)} MB, ` +
        `pasted ${(middle(pasted, "bytes") / 1e6).toFixed(2)} ` +
        `MB: ${ratio("bytes").toFixed(2)}`,
    );
    console.log(
      "  read for it: 1 snapshot of " +
        `${((snapshot?.state.length ?? 0) / 1e6).toFixed(2)} MB and ` +
        `${tail} events behind it (at most ${most.ratio}, 1 and ` +
        `${most.tail}): ${met ? "met" : "MISSED"}`,
    );
    if (!met) process.exitCode = 1;
  } finally {
    await browser.close();
    await stack.stop();
  }
}

await benchOpening();
