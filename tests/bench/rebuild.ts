import { loadavg } from "node:os";
import { performance } from "node:perf_hooks";
import * as Y from "yjs";
import { systemClock } from "@/events/core/clock";
import { memoryOutbox } from "@/events/device/outbox";
import { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import { seededRandom } from "@/events/core/virtual-clock.fixture";
import type { LiveDocument } from "@/machines/sync/live-document";
import { openDocument } from "@/machines/sync/open-document";
import { percentile } from "./figures/percentile";

const counts = process.env.EDITS?.split(",").map(Number) ?? [1_000, 5_000, 20_000];
const rounds = Number(process.env.ROUNDS ?? 5);
const stream = "00000000-0000-4000-8000-00000000be0c";

const until = async (condition: () => boolean) => {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
};

function textblockOf({ fragment }: Pick<LiveDocument, "fragment">): Y.XmlText | null {
  const paragraph = fragment.get(0);
  const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
  return textblock instanceof Y.XmlText ? textblock : null;
}

/**
 * Creates a page with a line that the log does not have. Ana, who wrote the line, is gone, and Ben
 * has inserted as many letters all over it.
 */
async function blockedPage(count: number) {
  const random = seededRandom(count);
  const backend = new MemoryBackend(systemClock, random);
  let begin = () => {};
  const begins = new Promise<void>((resolve) => (begin = resolve));
  let ids = 0;
  const open = (user: string) => {
    // The third client id belongs to the page that replaces Ben's.
    const clientId = () => ((ids += 1) > 2 ? (begin(), random.clientId()) : random.clientId());
    backend.allow(user, "editor");
    const tab = backend.tab(user, "1");
    const live = openDocument({
      documentId: stream,
      userId: user,
      store: tab.store(),
      channels: tab.channels(),
      outbox: memoryOutbox(),
      clock: systemClock,
      random: { ...random, clientId },
      schemaVersion: 1,
    });
    return { tab, live };
  };
  const [ana, { live: ben }] = [open("ana"), open("ben")];
  await Promise.all([ana.live.loaded, ben.loaded]);
  await until(() => [ana.live, ben].every(({ sync }) => sync.getSnapshot().value.link === "live"));
  ana.live.doc.transact(() => {
    const paragraph = new Y.XmlElement("paragraph");
    paragraph.insert(0, [new Y.XmlText("lost ".repeat(count / 5))]);
    ana.live.fragment.insert(0, [paragraph]);
  });
  await until(() => textblockOf(ben) !== null);
  ana.tab.setOffline(true);
  const updates: Uint8Array[] = [];
  const collect = (update: Uint8Array) => updates.push(update);
  const state = Y.encodeStateAsUpdate(ben.doc);
  const textblock = textblockOf(ben);
  ben.doc.on("update", collect);
  for (let edit = 0; textblock && edit < count; edit += 1)
    textblock.insert(Math.floor(random.unit() * textblock.length), "x");
  return { ana: ana.live, ben, begins, state, updates };
}

/** Returns the time that Yjs needs to apply the same updates one by one. */
function peer(state: Uint8Array, updates: Uint8Array[]): number {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  const begun = performance.now();
  for (const update of updates) Y.applyUpdate(doc, update);
  return performance.now() - begun;
}

type Rebuilt = { took: number; held: number };

/**
 * Measures from the start of the page's rebuild to its end: the total working time, and the longest
 * time without another turn.
 */
async function rebuilt({
  ben,
  begins,
}: {
  ben: LiveDocument;
  begins: Promise<void>;
}): Promise<Rebuilt> {
  let replaced = false;
  ben.onReplaced(() => (replaced = true));
  await begins;
  const begun = performance.eventLoopUtilization();
  let held = 0;
  for (let last = performance.now(); !replaced;) {
    await new Promise((resolve) => setImmediate(resolve));
    const now = performance.now();
    held = Math.max(held, now - last);
    last = now;
  }
  return { took: performance.eventLoopUtilization(begun).active, held };
}

async function bench(count: number): Promise<number> {
  const [ours, theirs, held]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < rounds; round += 1) {
    const { ana, ben, begins, state, updates } = await blockedPage(count);
    theirs.push(peer(state, updates));
    const one = await rebuilt({ ben, begins });
    ours.push(one.took);
    held.push(one.held);
    for (const live of [ana, ben]) {
      live.sync.stop();
      live.awareness.destroy();
    }
  }
  const ratio = percentile(
    ours.map((ms, index) => ms / (theirs[index] ?? NaN)),
    0.5,
  );
  const percentiles = (values: number[]) =>
    `p50 ${percentile(values, 0.5).toFixed(0)} ms, p95 ${percentile(values, 0.95).toFixed(0)} ms`;
  console.log(
    `${count} edits over lost text made again: ${percentiles(ours)}; at a ` +
      `stretch ${percentiles(held)}; plain Yjs ${percentiles(theirs)}; ` +
      `ratio, median ${ratio.toFixed(2)}; load ` +
      `${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  return ratio;
}

const ratios: number[] = [];
for (const count of counts) ratios.push(await bench(count));
// The work is proportional to the number of edits, as in Yjs itself, so the ratio must not grow.
if (Math.max(...ratios) > 3 * Math.min(...ratios)) {
  console.error("The work grows faster than the number of edits.");
  process.exitCode = 1;
}
// Open documents keep timers running.
process.exit();
