import type { Page } from "playwright";

/** A typed letter, and the place where its writer saw it appear. */
export type Landing = {
  letter: string;
  field: "text" | "title";
  /** The document whose text or title received the letter: the current row in the sidebar. */
  document: string | null;
  /** The Latin letters of the receiving text, which identify the text. */
  words: string;
  /** The path of the page at that time. Back changes the path before the document is shown. */
  path: string;
  /** Whether a text received the letter before it was an editor, and inserted it later. */
  isEarly: boolean;
};

const key = "landed letters";

/** Makes every page of this tab record which document receives each typed letter. */
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
    // The browser inserts the letter, or the page does so instead.
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
