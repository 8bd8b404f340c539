import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { schemaVersion } from "@/events/content/schema";
import { joinState } from "@/events/crdt/validation/document-state";
import { stream, type, world } from "@/machines/sync/live-world.fixture";
import { closerOf, LeftStates } from "./left-states";

const key = { userId: "ana", documentId: stream };
const at = (version: number) => ({ version, state: new Uint8Array([version]) });

/** Returns the words of the state in which a document was left. */
function words(states: LeftStates): string | null {
  const left = states.newerThan(0, key);
  if (left === null) return null;
  const doc = new Y.Doc();
  Y.applyUpdate(doc, joinState(left));
  return doc
    .getXmlFragment("default")
    .toString()
    .replace(/<[^>]+>/g, "");
}

describe("the state of a closed document", () => {
  it("[EDIT-26] holds the log at closing, then also the edits sent while closing", async () => {
    const { clock, backend, open } = world();
    const states = new LeftStates();
    const live = open(backend.tab("ana", "1"));
    const close = closerOf(live, key, states);
    await clock.advance(1_000);
    type(live, "hello");
    await clock.advance(5_000);
    type(live, " world");
    const closed = close();
    expect(words(states)).toBe("hello");
    await clock.advance(5_000);
    await closed;
    expect(words(states)).toBe("hello world");
    expect(states.newerThan(live.version, key)).toBeNull();
  });

  it("[EDIT-26] names its writers", async () => {
    const { clock, backend, open } = world();
    const states = new LeftStates();
    const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
    const close = closerOf(ana, key, states);
    await clock.advance(1_000);
    type(ben, "hello");
    await clock.advance(5_000);
    const closed = close();
    await clock.advance(1_000);
    await closed;
    expect(states.newerThan(0, key)?.owners?.map(([, user]) => user)).toEqual(["ben"]);
  });

  it("[EDIT-26] is dropped once the document is open again", async () => {
    const { clock, backend, open } = world();
    const states = new LeftStates();
    states.keep(key, at(7));
    closerOf(open(backend.tab("ana", "1")), key, states);
    await clock.advance(1_000);
    expect(states.newerThan(0, key)).toBeNull();
  });

  it("[EDIT-5] is not kept if the log has a newer schema", async () => {
    const { clock, backend, open } = world();
    const states = new LeftStates();
    const ana = open(backend.tab("ana", "1"));
    const ben = open(backend.tab("ben", "1"), { schemaVersion: schemaVersion + 1 });
    const close = closerOf(ana, key, states);
    await clock.advance(1_000);
    type(ben, "hello");
    await clock.advance(5_000);
    const closed = close();
    await clock.advance(1_000);
    await closed;
    expect(ana.version).toBeGreaterThan(0);
    expect(states.newerThan(0, key)).toBeNull();
  });

  it("[EDIT-26] is not kept for a person who has lost access", async () => {
    const { clock, backend, open } = world();
    const states = new LeftStates();
    const live = open(backend.tab("ana", "1"));
    const close = closerOf(live, key, states);
    await clock.advance(1_000);
    type(live, "hello");
    await clock.advance(5_000);
    live.setAccess("none");
    const closed = close();
    await clock.advance(1_000);
    await closed;
    expect(states.newerThan(0, key)).toBeNull();
  });

  it("[EDIT-26] is the newest of each person, for the last eight documents", () => {
    const states = new LeftStates();
    states.keep(key, at(7));
    states.keep(key, at(5));
    expect(states.newerThan(6, key)).toEqual(at(7));
    expect(states.newerThan(7, key)).toBeNull();
    expect(states.newerThan(0, { ...key, userId: "ben" })).toBeNull();
    for (let other = 0; other < 7; other += 1)
      states.keep({ userId: "ana", documentId: `${other}` }, at(1));
    states.keep(key, at(8));
    states.keep({ userId: "ana", documentId: "7" }, at(1));
    expect(states.newerThan(0, { userId: "ana", documentId: "0" })).toBeNull();
    expect(states.newerThan(0, { userId: "ana", documentId: "1" })).toEqual(at(1));
    expect(states.newerThan(0, key)).toEqual(at(8));
  });
});
