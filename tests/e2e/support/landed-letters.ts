import type { Page } from "playwright";

/** A letter that a page took, and where its writer saw it go. */
export type Landing = {
  letter: string;
  field: "text" | "title";
  /** The document whose text or title took it: its row is the current one in the sidebar. */
  document: string | null;
  /** The Latin letters of that text, which say whose it is. */
  words: string;
  /** The path of the page at that moment: Back changes it before it brings the document. */
  path: string;
  /** Taken by a text that is no editor yet, and writes it as soon as it is one. */
  isEarly: boolean;
};

const key = "landed letters";

/** Has every page of this tab record which document takes each letter that is typed. */
export async function recordLandings(page: Page): Promise<void> {
  await page.addInitScript((key) => {
    const landings: Landing[] = JSON.parse(sessionStorage.getItem(key) ?? "[]");
    Reflect.set(globalThis, key, landings);
    addEventListener("pagehide", () => sessionStorage.setItem(key, JSON.stringify(landings)));
    const record = (event: Event, letter: string | null) => {
      const { target } = event;
      const field = target instanceof Element ? target.closest("#text, #title") : null;
      if (field === null || letter === null || !/^\p{Script=Han}+$/u.test(letter)) return;
      const current = document.querySelector<HTMLElement>('[role="treeitem"][aria-current="page"]');
      landings.push({
        letter,
        field: field.id === "title" ? "title" : "text",
        document: current?.dataset.document ?? null,
        words: field.textContent.replace(/[^a-z]/gi, ""),
        path: location.pathname,
        isEarly: event.type === "keydown",
      });
    };
    // The browser writes it, or the page does so in its place.
    addEventListener("input", (event) => {
      if (event instanceof InputEvent) record(event, event.data);
    });
    addEventListener("keypress", (event) => {
      if (event.defaultPrevented) record(event, event.key);
    });
    addEventListener("keydown", (event) => {
      if (event.defaultPrevented) record(event, event.key);
    });
  }, key);
}

export function landings(page: Page): Promise<Landing[]> {
  return page.evaluate((key) => Reflect.get(globalThis, key), key);
}
