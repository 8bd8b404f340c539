import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { newDocument, person, saved, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let workspace: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ({ workspace } = ana);
});

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? null);

describe("a new document", () => {
  it.each([
    ["an empty list", () => ana.page.goto(`/w/${workspace}`)],
    ["the bar of all documents", () => ana.page.goto(`/w/${workspace}`)],
    ["the tree beside a document", () => Promise.resolve()],
    ["the tree of another page", () => ana.page.goto(`/w/${workspace}/activity`)],
  ])(
    "[DOCS-11] from %s starts with the caret in its title, and Enter leads into the text",
    async (_name, go) => {
      await go();
      await newDocument(ana);
      await expect.poll(() => focused(ana.page)).toBe("Title");
      await ana.page.keyboard.type("Harbour");
      await ana.page.keyboard.press("Enter");
      await ana.page.keyboard.type("Begun.");
      expect(await titleBox(ana.page).innerText()).toBe("Harbour");
      expect(await text(ana.page).innerText()).toBe("Begun.");
      await saved(ana.page);
    },
  );

  it("[DOCS-11] has in its title the text typed while it was being created", async () => {
    const { page } = ana;
    await page.goto(`/w/${workspace}`);
    // The answer waits until everything is typed.
    let release = () => {};
    const typed = new Promise<void>((settle) => (release = settle));
    await page.route("**/rpc/append_events", async (route) => {
      await typed;
      await route.continue();
    });
    await page.getByRole("button", { name: "New document" }).first().click();
    await page.keyboard.type("A stormyy");
    await page.keyboard.press("Backspace");
    await page.keyboard.type(" even");
    release();
    await page.waitForURL((url) => url.pathname.startsWith("/d/"));
    await expect.poll(() => focused(page)).toBe("Title");
    await page.keyboard.type("ing");
    await expect.poll(() => titleBox(page).innerText()).toBe("A stormy evening");
    await saved(page);
    await page.unroute("**/rpc/append_events");
    await page.reload();
    await expect.poll(() => titleBox(page).innerText()).toBe("A stormy evening");
  });

  it("[DOCS-11] arrows lead from the title to the text's beginning and back, as does Shift+Tab", async () => {
    await newDocument(ana, "Ebb");
    await ana.page.keyboard.type("First line.");
    await ana.page.keyboard.press("Enter");
    await ana.page.keyboard.type("Second line.");
    await ana.page.keyboard.press("ArrowUp");
    expect(await focused(ana.page)).toBe("Document text");
    await ana.page.keyboard.press("ArrowUp");
    expect(await focused(ana.page)).toBe("Title");
    await ana.page.keyboard.type(" tide");
    await ana.page.keyboard.press("ArrowDown");
    await ana.page.keyboard.type("The ");
    expect(await titleBox(ana.page).innerText()).toBe("Ebb tide");
    expect(await text(ana.page).innerText()).toMatch(/^The First line\./);
    await ana.page.keyboard.press("Shift+Tab");
    expect(await focused(ana.page)).toBe("Title");
  });

  it("[DOCS-11] takes no focus when opened again", async () => {
    await ana.page.reload();
    await writable(ana.page).waitFor();
    await saved(ana.page);
    expect(await focused(ana.page)).toBe(null);
  });
});

/** Pastes or drops files, HTML and text into the text. */
async function bring(
  page: Page,
  kind: "paste" | "drop",
  {
    html = "",
    plain = "",
    files = [],
  }: { html?: string; plain?: string; files?: { name: string; type: string }[] },
): Promise<boolean> {
  return text(page).evaluate(
    (element, brought) => {
      const data = new DataTransfer();
      for (const { name, type } of brought.files) data.items.add(new File(["x"], name, { type }));
      if (brought.html !== "") data.setData("text/html", brought.html);
      if (brought.plain !== "") data.setData("text/plain", brought.plain);
      const { left, top } = (element.firstElementChild ?? element).getBoundingClientRect();
      const event =
        brought.kind === "paste"
          ? new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })
          : new DragEvent("drop", {
              dataTransfer: data,
              bubbles: true,
              cancelable: true,
              clientX: left + 2,
              clientY: top + 5,
            });
      (element.querySelector("p") ?? element).dispatchEvent(event);
      return event.defaultPrevented;
    },
    { html, plain, files, kind },
  );
}

const shown = (page: Page, words: RegExp) =>
  page.getByText(words).filter({ visible: true }).first().waitFor();
const picture = { name: "pier.png", type: "image/png" };

describe("a picture brought to the text", () => {
  it("[EDIT-23] with words is left out and replaced by its alt text, and the rest is kept", async () => {
    await newDocument(ana, "Pier");
    await bring(ana.page, "paste", {
      html: '<p>The <b>old</b> pier: <img src="https://example.com/pier.png" alt="planks at low tide">.</p>',
      plain: "The old pier: .",
      files: [picture],
    });
    await shown(ana.page, /The text was pasted, but the image in it was left out/);
    expect(await text(ana.page).innerText()).toBe("The old pier: planks at low tide.");
  });

  it("[EDIT-23] is ignored silently if it only repeats the words", async () => {
    await newDocument(ana, "Pier");
    await saved(ana.page);
    await ana.page.reload();
    await writable(ana.page).click();
    // The code for other formats loads once the text can be edited, with that of the list.
    await ana.page.keyboard.type("/");
    await ana.page.getByRole("listbox").waitFor();
    await ana.page.keyboard.press("Escape");
    await ana.page.keyboard.press("Backspace");
    await bring(ana.page, "paste", {
      html: '<p>Cells <img src="https://example.com/1f600.png" alt="😀"></p>',
      plain: "Cells",
      files: [picture],
    });
    await expect.poll(() => text(ana.page).innerText()).toBe("Cells 😀");
    expect(
      await ana.page
        .getByText(/left out|wasn’t added/)
        .filter({ visible: true })
        .count(),
    ).toBe(0);
  });

  it("[EDIT-23] does not replace the page when dropped beside the text", async () => {
    const prevented = await ana.page.evaluate(() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "pier.png", { type: "image/png" }));
      return ["dragover", "drop"].map((kind) => {
        const event = new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
        document.querySelector("h1")?.dispatchEvent(event);
        return event.defaultPrevented;
      });
    });
    expect(prevented).toEqual([true, true]);
    await ana.page.getByRole("link", { name: "Download pier.png" }).waitFor();
  });
});
