import { expect, it } from "vitest";
import { MemoryPersonal } from "@/events/backend/memory-personal.fixture";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { noPersonal } from "@/events/read-models/personal";
import { PersonalStore } from "./personal-store";

const begun = "2026-11-23T10:00:00Z";
const later = "2026-11-24T10:00:00Z";

/** Returns a document that Ben changed last. */
const changed = (id: string, version: number, updatedAt = later): DocumentRow => ({
  id,
  workspaceId: "w",
  title: id,
  icon: null,
  template: false,
  parent: null,
  rank: "80000000",
  phase: "live",
  version,
  createdBy: "ana",
  createdAt: begun,
  updatedBy: "ben",
  updatedAt,
  edits: 0,
  forkedFrom: null,
  forkedAt: null,
});

/** Opens a tab of Ana, who has read none of the documents. */
function tabOf(backend: MemoryPersonal, documents: readonly DocumentRow[] = []) {
  const refusals: string[] = [];
  const faults: unknown[] = [];
  const unread = Object.fromEntries(documents.map(({ id }) => [id, 0]));
  const store = new PersonalStore({
    initial: { documents, personal: { ...noPersonal, unread } },
    workspaceId: backend.workspace,
    userId: "ana",
    rows: async () => backend.rows(),
    shownHere: () => 0,
    onRefused: (sentence) => refusals.push(sentence),
    onFault: (fault) => faults.push(fault),
  });
  const close = store.connect({ rows: backend.rows(), channels: backend.channels });
  return { store, refusals, faults, close };
}

it("[HOME-8] shows a favourite at once, and in other tabs once it is recorded", async () => {
  const backend = new MemoryPersonal("w");
  const [one, other] = [tabOf(backend), tabOf(backend)];
  one.store.favour("atlas", true);
  one.store.favour("botany", true, 0);
  expect(one.store.state().favourites).toEqual(["botany", "atlas"]);
  expect(other.store.state().favourites).toEqual([]);
  await expect.poll(() => other.store.state().favourites).toEqual(["botany", "atlas"]);
  expect(backend.calls.filter((name) => name === "set_favourite")).toHaveLength(2);
});

it("[HOME-5] removes a favourite that the database refuses, and says why", async () => {
  const backend = new MemoryPersonal("w");
  backend.refuses = true;
  const { store, refusals } = tabOf(backend);
  store.favour("atlas", true);
  expect(store.state().favourites).toEqual(["atlas"]);
  await expect.poll(() => store.state().favourites).toEqual([]);
  expect(refusals).toEqual(["You have 200 favourites here. Remove one to add another."]);
});

it("undoes a change that could not be recorded, and reports the fault", async () => {
  const backend = new MemoryPersonal("w");
  backend.unreachable = true;
  const { store, faults, refusals } = tabOf(backend);
  store.favour("atlas", true);
  await expect.poll(() => store.state().favourites).toEqual([]);
  expect(faults).toHaveLength(1);
  expect(refusals).toEqual([]);
});

it("[HOME-3] marks a document as read up to the seen version, in every tab", async () => {
  const backend = new MemoryPersonal("w");
  const documents = [changed("atlas", 7), changed("botany", 3)];
  const [one, other] = [tabOf(backend, documents), tabOf(backend, documents)];
  expect([...one.store.unreadAmong(documents)]).toEqual([
    ["atlas", 0],
    ["botany", 0],
  ]);
  one.store.seen("atlas", 7, false);
  expect([...one.store.unreadAmong(documents).keys()]).toEqual(["botany"]);
  await expect.poll(() => [...other.store.unreadAmong(documents).keys()]).toEqual(["botany"]);
  expect([...one.store.unreadAmong([changed("atlas", 8)])]).toEqual([["atlas", 7]]);
});

it("[HOME-7] puts an opened document first among the recent ones, recorded or not", async () => {
  const backend = new MemoryPersonal("w");
  const { store, faults } = tabOf(backend);
  store.seen("atlas", 1, true);
  backend.unreachable = true;
  store.seen("botany", 1, true);
  store.seen("atlas", 2, true);
  expect(store.state().recents).toEqual(["atlas", "botany"]);
  expect(faults).toEqual([]);
});

it("[HOME-4] marks the shown documents as read, and undoes it", async () => {
  const backend = new MemoryPersonal("w");
  const documents = [changed("atlas", 7), changed("botany", 3, "2026-11-25T10:00:00Z")];
  const { store } = tabOf(backend, documents);
  store.show(documents);
  const { count, undo } = store.readAll();
  expect(count).toBe(2);
  expect(store.unreadAmong(documents).size).toBe(0);
  expect(store.state().readAt).toBe("2026-11-25T10:00:00Z");
  // Later changes are unread.
  const next = changed("atlas", 8, "2026-11-26T10:00:00Z");
  expect([...store.unreadAmong([next]).keys()]).toEqual(["atlas"]);
  undo();
  expect([...store.unreadAmong(documents).keys()]).toEqual(["atlas", "botany"]);
});

it("[HOME-6] reads missed changes when its channel joins again", async () => {
  const backend = new MemoryPersonal("w");
  const documents = [changed("atlas", 7)];
  const silent = tabOf(backend, documents);
  silent.close();
  const other = tabOf(backend, documents);
  other.store.favour("atlas", true);
  other.store.seen("atlas", 7, false);
  await expect.poll(() => backend.calls.filter((name) => name.startsWith("mark_"))).toHaveLength(1);
  await expect.poll(() => backend.calls).toContain("set_favourite");
  expect(silent.store.state().favourites).toEqual([]);
  silent.store.connect({ rows: backend.rows(), channels: backend.channels });
  backend.join();
  await expect.poll(() => silent.store.state().favourites).toEqual(["atlas"]);
  expect(silent.store.unreadAmong(documents).size).toBe(0);
});

it("publishes a new state for a change, and the same one between changes", () => {
  const { store } = tabOf(new MemoryPersonal("w"));
  const states = [store.state()];
  store.subscribe(() => states.push(store.state()));
  expect(store.state()).toBe(states[0]);
  store.seen("atlas", 3, false);
  store.seen("atlas", 3, false);
  expect(states).toHaveLength(2);
  expect(states[1]).not.toBe(states[0]);
});
