import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { KeptTitles } from "./kept-titles";

const key = "palimpsest.early-title.ana.d.1";
let stored: Map<string, string>;

beforeEach(() => {
  stored = new Map([[key, "{}"]]);
  vi.stubGlobal("localStorage", { removeItem: (name: string) => stored.delete(name) });
});
afterEach(() => vi.unstubAllGlobals());

function taken() {
  const titles = new KeptTitles();
  titles.take(key);
  return titles;
}

it("[EDIT-74] a kept title stays until the title that contains its words is recorded", async () => {
  const titles = taken();
  let record = () => {};
  titles.letGo(new Promise<void>((resolve) => (record = resolve)));
  // The field loses the focus and has nothing more to save.
  titles.letGo(null);
  await Promise.resolve();
  expect(stored.has(key)).toBe(true);
  record();
  await vi.waitFor(() => expect(stored.has(key)).toBe(false));
});

it("[EDIT-74] a kept title that a refused one contains is removed", async () => {
  taken().letGo(Promise.reject(new Error("refused")));
  await vi.waitFor(() => expect(stored.has(key)).toBe(false));
});

it("[EDIT-74] a kept title whose words are recorded already is removed", () => {
  taken().letGo(null);
  expect(stored.has(key)).toBe(false);
});

it("[EDIT-74] a kept title does not come back after the person has typed another", () => {
  const titles = taken();
  titles.letGo(new Promise(() => {}));
  expect(stored.has(key)).toBe(true);
  titles.letGo(new Promise(() => {}));
  expect(stored.has(key)).toBe(false);
});
