import { describe, expect, it } from "vitest";
import { applyUpdate, Doc, encodeStateAsUpdate } from "yjs";
import { isSnapshotDue, packSnapshot, unpackSnapshot } from "./snapshot";
import { validationRule } from "./validation";

function stateOf(words: string): Uint8Array {
  const doc = new Doc();
  doc.getText("t").insert(0, words);
  return encodeStateAsUpdate(doc);
}

describe("a packed snapshot", () => {
  const snapshot = {
    state: stateOf("Open on Monday"),
    owners: [
      [7, "ana"],
      [9, "ben"],
    ] as [number, string][],
    schema: 1,
  };

  it("[EDIT-9] gives back state, bindings and schema", () => {
    expect(unpackSnapshot(packSnapshot(snapshot))).toEqual(snapshot);
  });

  it("[EDIT-9] is a plain Yjs state to other readers", () => {
    const doc = new Doc();
    applyUpdate(doc, packSnapshot(snapshot));
    expect(doc.getText("t").toString()).toBe("Open on Monday");
  });

  it("[EDIT-9] does not treat a plain state as a packed one", () => {
    expect(unpackSnapshot(snapshot.state)).toBeNull();
    expect(unpackSnapshot(new Uint8Array(3))).toBeNull();
  });

  it("[ADMIT-18] is null to a reader with another validation rule", () => {
    const packed = packSnapshot(snapshot);
    const other = Buffer.from(packed);
    other.set(Buffer.from('"rule":0'), other.indexOf(`"rule":${validationRule}`));
    expect([unpackSnapshot(packed), unpackSnapshot(other)]).toEqual([snapshot, null]);
  });
});

it("is due by the number or the bytes of the events after the last one [SEGMENT-4]", () => {
  expect(isSnapshotDue({ events: 64, bytes: 32_767, snapshot: 0 })).toBe(false);
  expect(isSnapshotDue({ events: 65, bytes: 10, snapshot: 0 })).toBe(true);
  expect(isSnapshotDue({ events: 3, bytes: 32_768, snapshot: 0 })).toBe(true);
  expect(isSnapshotDue({ events: 3, bytes: 99_999, snapshot: 200_000 })).toBe(false);
  expect(isSnapshotDue({ events: 3, bytes: 100_000, snapshot: 200_000 })).toBe(true);
});
