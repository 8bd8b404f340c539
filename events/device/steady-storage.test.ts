import { expect, it } from "vitest";
import { steadyStorage } from "./steady-storage";

/** Creates a browser's storage that can be forbidden or full. */
function storage() {
  const entries = new Map<string, string>();
  const state = { full: false, forbidden: false };
  const given = {
    get length() {
      return entries.size;
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem(key: string, value: string) {
      if (state.full) throw new DOMException("full", "QuotaExceededError");
      entries.set(key, value);
    },
    removeItem(key: string) {
      if (state.full) throw new DOMException("no", "SecurityError");
      entries.delete(key);
    },
  };
  const give = () => {
    if (state.forbidden) throw new DOMException("no", "SecurityError");
    return given;
  };
  return { entries, state, give };
}

const all = (steady: ReturnType<typeof steadyStorage>) =>
  Array.from({ length: steady.length }, (_, index) => steady.key(index)).map((key) => [
    key,
    steady.getItem(key ?? ""),
  ]);

it("[SYNC-43] is the browser’s own storage while that works", () => {
  const { entries, give } = storage();
  const steady = steadyStorage(give);
  steady.setItem("a", "1");
  steady.setItem("b", "2");
  steady.removeItem("a");
  expect([...entries]).toEqual([["b", "2"]]);
  expect(all(steady)).toEqual([["b", "2"]]);
});

it("[SYNC-43] holds refused entries for the page, and writes to the browser again once it accepts", () => {
  const { entries, state, give } = storage();
  const steady = steadyStorage(give);
  steady.setItem("a", "1");
  steady.setItem("b", "2");
  state.full = true;
  steady.setItem("b", "3");
  steady.setItem("c", "4");
  steady.removeItem("a");
  expect(all(steady)).toEqual([
    ["b", "3"],
    ["c", "4"],
  ]);
  expect([...entries]).toEqual([
    ["a", "1"],
    ["b", "2"],
  ]);
  state.full = false;
  steady.setItem("c", "5");
  expect(entries.get("c")).toBe("5");
});

it("[SYNC-43] is the page’s own memory where the browser forbids storage", () => {
  const { state, give } = storage();
  state.forbidden = true;
  const steady = steadyStorage(give);
  expect(steady.getItem("a")).toBeNull();
  steady.setItem("a", "1");
  expect(all(steady)).toEqual([["a", "1"]]);
  steady.removeItem("a");
  expect(steady.length).toBe(0);
});
