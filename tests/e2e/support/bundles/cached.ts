import type { Page } from "playwright";
import { expect } from "vitest";
import * as Y from "yjs";

/**
 * Returns a document's data on the device: whether its page and the page's code are cached, and the
 * words of the cached states.
 */
export async function cached(page: Page, path: string) {
  const kept = await page.evaluate(async (path) => {
    const has = async (address: string) =>
      (await caches.match(address, { ignoreVary: true })) !== undefined;
    const code = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((name) => name.startsWith("/_next/static/") && name.endsWith(".js"));
    const shown = (await Promise.all([path, ...code].map(has))).every(Boolean);
    // Opening the database before the product does would create it empty.
    if (!(await indexedDB.databases()).some(({ name }) => name === "palimpsest-copies"))
      return { page: shown, states: [] };
    const copies = await new Promise<{ state: Uint8Array }[]>((settle, fail) => {
      const opening = indexedDB.open("palimpsest-copies");
      opening.onerror = () => fail(new Error("no copies"));
      opening.onsuccess = () => {
        const all = opening.result.transaction("documents").objectStore("documents").getAll();
        all.onsuccess = () => {
          opening.result.close();
          settle(all.result);
        };
      };
    });
    return { page: shown, states: copies.map(({ state }) => [...state]) };
  }, path);
  // Text typed while the page became live may occur twice in a state.
  const words = kept.states.map((state) => {
    const doc = new Y.Doc();
    Y.applyUpdate(doc, Uint8Array.from(state));
    return doc.getXmlFragment("default").toString();
  });
  return { page: kept.page, words };
}

/** The expected cache of a complete document that contains "tunnel". */
export const everything = { page: true, words: [expect.stringContaining("tunnel")] };
