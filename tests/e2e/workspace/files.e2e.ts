import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { unzipSync } from "fflate";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { supabaseStore } from "@/events/log/store";
import { barriers } from "../support/browser/axe";
import { drop, dropOnto, figures, isDrawn, picture } from "../support/dropped-files";
import { revisionSlider } from "../support/player";
import { newDocument, saved, shownId, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";
import { sharedDocument } from "../support/shared-document";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;
/** The path of the download with its history. */
let bundle: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, path } = await sharedDocument(browser, {
    title: "The shelf",
    begun: "It stands left of the window.",
    ended: "\nBoxes carry a number.",
  }));
});

describe("a dropped image", () => {
  it("[FILE-30] appears at once, and for others in its place without a shift", async () => {
    await drop(ana.page, await picture("shelf.png", "teal"));
    await figures(ana.page).waitFor();
    await figures(ben.page).waitFor();
    // Found and measured in one step: the element is replaced when the code for files loads.
    const box = () =>
      text(ben.page).evaluate((written) => {
        const figure = written.querySelector("figure.image");
        const { top, left, width, height } = figure?.getBoundingClientRect() ?? new DOMRect();
        return { top, left, width, height };
      });
    const before = await box();
    expect(before.height).toBeGreaterThan(300);
    await text(ben.page).evaluate((written) => {
      const shifts: number[] = [];
      Reflect.set(window, "shifts", shifts);
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          if ("value" in entry && "sources" in entry && Array.isArray(entry.sources))
            if (entry.sources.some(({ node }) => node instanceof Node && written.contains(node)))
              shifts.push(Number(entry.value));
      }).observe({ type: "layout-shift" });
    });
    await expect.poll(() => isDrawn(ben.page)).toBe(true);
    const source = await figures(ben.page).locator("img").getAttribute("src");
    expect(source).toMatch(/^\/files\/[0-9a-f-]{36}\?w=1280$/);
    await expect.poll(box).toEqual(before);
    expect(await ben.page.evaluate(() => Reflect.get(window, "shifts"))).toEqual([]);
    await expect.poll(() => ana.page.getByRole("progressbar").count()).toBe(0);
    // Brings back the elements that fade during long typing.
    await ben.page.mouse.move(5, 5);
    expect(await barriers(ben.page)).toEqual([]);
  });

  it("[FILE-32] has an alternative text and a caption, and is resized by keys", async () => {
    await figures(ana.page).locator("img").click();
    await ana.page.getByRole("button", { name: "Alt text" }).click();
    await ana.page.getByRole("textbox", { name: "Alt text" }).fill("Three shelves with boxes");
    await ana.page.keyboard.press("Enter");
    await ben.page.getByRole("img", { name: "Three shelves with boxes" }).waitFor();
    await figures(ana.page).locator("img").click();
    await ana.page.getByRole("button", { name: "Caption" }).click();
    await ana.page.getByRole("textbox", { name: "Caption" }).fill("In November");
    await ana.page.keyboard.press("Enter");
    await ben.page.getByText("In November").waitFor();
    const width = async () => (await figures(ben.page).boundingBox())?.width ?? 0;
    const before = await width();
    await figures(ana.page).locator("img").click();
    await ana.page.getByRole("slider", { name: "Image width" }).press("PageDown");
    await expect.poll(width).toBeLessThan(before);
    expect(await barriers(ana.page)).toEqual([]);
    await ana.page.getByRole("button", { name: "Open" }).click();
    await ana.page.getByRole("dialog", { name: "Three shelves with boxes" }).waitFor();
    await ana.page.keyboard.press("Escape");
    await ana.page.getByRole("dialog").waitFor({ state: "detached" });
  });

  it("[FILE-31] waits on this device without a network, even over a reload", async () => {
    await saved(ana.page);
    await ana.page.route(/\/d\/[^/]+\/files|\/storage\/v1\//, (route) => route.abort());
    await drop(ana.page, await picture("later.png", "maroon", 300, 300));
    await figures(ana.page).nth(1).waitFor();
    await ana.page.getByText("Waits for a connection").waitFor();
    await saved(ana.page);
    await ana.page.reload();
    await writable(ana.page).waitFor();
    await ana.page.getByRole("progressbar", { name: "Uploading later.png" }).waitFor();
    const own = () =>
      figures(ana.page).evaluateAll((all) =>
        all.map((one) => one.querySelector("img")?.src.startsWith("blob:") ?? false),
      );
    await expect.poll(own).toContain(true);
    await ana.page.unroute(/\/d\/[^/]+\/files|\/storage\/v1\//);
    await expect.poll(() => isDrawn(ben.page, 0)).toBe(true);
    await expect.poll(() => isDrawn(ben.page, 1)).toBe(true);
    await expect.poll(() => ana.page.getByRole("progressbar").count()).toBe(0);
  });
});

describe("another dropped file", () => {
  it("[FILE-22] is downloaded and never displayed, whatever its name", async () => {
    const words = Buffer.from("<html><script>document.title = 'mine'</script></html>");
    await drop(ana.page, { name: "pier.png", type: "image/png", bytes: words });
    const link = ben.page.getByRole("link", { name: "Download pier.png" });
    await link.waitFor();
    const address = (await link.getAttribute("href")) ?? "";
    const told = () =>
      ben.page.evaluate(async (url) => {
        const answer = await fetch(url);
        return [
          answer.status,
          answer.headers.get("content-type"),
          answer.headers.get("content-disposition")?.split(";")[0],
          answer.headers.get("x-content-type-options"),
          answer.headers.get("content-security-policy")?.includes("sandbox"),
        ];
      }, address);
    const expected = [200, "application/octet-stream", "attachment", "nosniff", true];
    await expect.poll(told).toEqual(expected);
  });

  it("[FILE-33] is refused in a sentence if empty or too large, and the text stays", async () => {
    // The status of an upload in progress is not part of the text.
    await expect.poll(() => ana.page.getByRole("progressbar").count()).toBe(0);
    const before = await text(ana.page).innerText();
    await drop(ana.page, { name: "none.txt", type: "text/plain", bytes: Buffer.alloc(0) });
    await ana.page.getByText("“none.txt” is empty.").filter({ visible: true }).first().waitFor();
    const large = { name: "film.mov", type: "video/quicktime", bytes: Buffer.alloc(26_214_401) };
    await drop(ana.page, large);
    await ana.page
      .getByText("“film.mov” is larger than 25 MB.")
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await text(ana.page).innerText()).toBe(before);
  });

  it("[FILE-40] is refused to a former member at a known address", async () => {
    const source = (await figures(ben.page).first().locator("img").getAttribute("src")) ?? "";
    const status = (page: Page) =>
      page.evaluate(async (url) => (await fetch(url, { redirect: "manual" })).status, source);
    expect(await status(ben.page)).toBe(200);
    await ana.client.rpc("append_events", {
      stream: ana.workspace,
      expected_version: null,
      events: [
        {
          id: crypto.randomUUID(),
          type: "member.removed",
          subject: { kind: "member", id: ben.user.id },
          body: "{}",
        },
      ],
    });
    await expect.poll(() => status(ben.page)).toBe(404);
    expect(await status(ana.page)).toBe(200);
    await ana.page.goto(path);
    await expect.poll(() => isDrawn(ana.page)).toBe(true);
  });
});

describe("a document that starts as a copy", () => {
  it("[FILE-15] shows its images even after the original is purged", async () => {
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
    await saved(ana.page);
    await ana.page.getByRole("button", { name: "More" }).first().click();
    await ana.page.getByRole("menuitem", { name: "Duplicate" }).click();
    await ana.page.waitForURL((url) => url.pathname !== path && url.pathname.startsWith("/d/"));
    await writable(ana.page).waitFor();
    const stream = path.replace("/d/", "");
    for (const type of ["document.trashed", "document.purged"]) {
      const events = [{ id: crypto.randomUUID(), type, body: "{}" }];
      const asked = { stream, expected_version: null, events };
      expect((await ana.client.rpc("append_events", asked)).error).toBeNull();
    }
    await ana.page.reload();
    await expect.poll(() => isDrawn(ana.page)).toBe(true);
  });

  it("[BUNDLE-14] [IMPORT-12] keeps them through a download with its history and an import", async () => {
    const { page } = ana;
    await writable(page).waitFor();
    const before = page.url();
    const count = await figures(page).count();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Download" }).press("ArrowRight");
    await page.getByRole("menuitem", { name: "With its history" }).press("Enter");
    const exporting = page.getByRole("dialog", { name: "Export" });
    const coming = page.waitForEvent("download");
    await exporting.getByRole("button", { name: "Export" }).click();
    bundle = await (await coming).path();
    await exporting.getByRole("button", { name: "Close" }).last().click();
    await page.getByRole("link", { name: "All documents" }).click();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const importing = page.getByRole("dialog", { name: "Import" });
    await importing.getByLabel("File to import").setInputFiles(bundle);
    await importing.getByText(/images and files come with it, each as its event says/).waitFor();
    await importing.getByRole("button", { name: "Import", exact: true }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/d/") && url.href !== before);
    await expect.poll(() => figures(page).count()).toBe(count);
    await expect.poll(() => isDrawn(page)).toBe(true);
  });

  it("[BUNDLE-16] shows them offline from that download's folder, now and in the past", async () => {
    const folder = await mkdtemp(join(tmpdir(), "palimpsest-unpacked-"));
    for (const [name, bytes] of Object.entries(unzipSync(await readFile(bundle)))) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), bytes);
    }
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    const broken: string[] = [];
    page.on("console", (message) => {
      if (message.type() === "error") broken.push(`${message.text()} (${message.location().url})`);
    });
    const images = () =>
      page
        .locator("figure img")
        .evaluateAll((all) =>
          all.map((img) => img instanceof HTMLImageElement && img.naturalWidth),
        );
    for (const file of ["text/document.html", "player.html"]) {
      await page.goto(pathToFileURL(join(folder, file)).href);
      await page.locator("figure img").first().scrollIntoViewIfNeeded();
      await expect.poll(images).not.toEqual([]);
      await expect.poll(images).not.toContain(0);
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await page.setViewportSize({ width: 390, height: 800 });
      expect(await wide()).toBeLessThanOrEqual(0);
      await page.setViewportSize({ width: 1280, height: 720 });
    }
    await page.getByText(/^Verified: \d+ events$/).waitFor();
    await page.getByRole("slider", { name: "Moment" }).press("Home");
    await expect.poll(images).toEqual([]);
    for (let step = 0; step < 200 && (await images()).length === 0; step += 1)
      await page.keyboard.press("ArrowRight");
    await expect.poll(async () => (await images()).length).toBeGreaterThan(0);
    await expect.poll(images).not.toContain(0);
    // As one text, which a report shows in full.
    expect(broken.join("\n")).toBe("");
    await context.close();
    await rm(folder, { recursive: true });
  });
});

describe("an image far below the viewport", () => {
  it("[FILE-34] is fetched when it comes near", async () => {
    const { page } = ana;
    await newDocument(ana, "A long way");
    await text(page).click();
    const lines = Array.from({ length: 200 }, (_, line) => `Line ${line}`).join("\n\n");
    await text(page).evaluate((box, words) => {
      const data = new DataTransfer();
      data.setData("text/plain", words);
      const how = { clipboardData: data, bubbles: true, cancelable: true };
      box.dispatchEvent(new ClipboardEvent("paste", how));
    }, lines);
    await text(page).getByText("Line 199").scrollIntoViewIfNeeded();
    await dropOnto(page, -1, [await picture("far.png", "navy", 320, 200)]);
    await figures(page).waitFor();
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    await saved(page);
    // A new window, which starts at the beginning.
    const other = await ana.context.newPage();
    const fetched: string[] = [];
    other.on("request", (request) => {
      if (new URL(request.url()).pathname.startsWith("/files/")) fetched.push(request.url());
    });
    await other.goto(page.url());
    // Drawn by the code that requests images, which loads after the text.
    await other.locator("figure.image[data-state]").waitFor({ state: "attached" });
    await saved(other);
    expect(fetched).toEqual([]);
    await figures(other).scrollIntoViewIfNeeded();
    await expect.poll(() => isDrawn(other)).toBe(true);
    expect(fetched).toHaveLength(1);
    await other.close();
  });
});

describe("an image whose edit is redacted", () => {
  it("[REDACT-12] [FILE-13] loses its bytes too, as preselected", async () => {
    const { page } = ana;
    await writable(page).waitFor();
    const named = () =>
      figures(page).evaluateAll((all) => all.map((figure) => figure.getAttribute("data-file")));
    const others = await named();
    const added = async () => (await named()).find((file) => !others.includes(file)) ?? null;
    const edits = async () =>
      (await supabaseStore(ana.client).read(shownId(page), 0)).filter(
        ({ type }) => type === "document.edited",
      );
    const count = (await edits()).length;
    await drop(page, await picture("vault.png", "olive", 320, 200));
    await expect.poll(added).not.toBe(null);
    // The page that brought it keeps showing its own copy.
    const address = `/files/${await added()}`;
    await expect.poll(() => page.getByRole("progressbar").count()).toBe(0);
    await expect.poll(async () => (await edits()).length).toBeGreaterThan(count);
    await saved(page);
    // The event that attached the file may come before or after the edit.
    const inserted = (await edits())[count]?.version;
    const status = () => page.evaluate(async (url) => (await fetch(url)).status, address);
    await expect.poll(status).toBe(200);
    await page.goto(`${new URL(page.url()).pathname}?at=${inserted}`);
    await revisionSlider(page).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).last().click();
    await page.getByRole("menuitem", { name: "Redact this edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Redact this edit" });
    const file = dialog.getByRole("checkbox", {
      name: /vault\.png.*the file itself, added by Ana/,
    });
    await file.waitFor();
    expect(await file.isChecked()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await dialog.getByLabel("Reason").fill("Not for everybody");
    const loaded = page.waitForEvent("load");
    await dialog.getByRole("button", { name: "Redact for good" }).click();
    await loaded;
    await expect.poll(status).toBe(404);
  });
});
