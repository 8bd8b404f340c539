import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createClient } from "@supabase/supabase-js";
import { unzipSync } from "fflate";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemRandom } from "@/events/core/clock";
import { supabaseStore } from "@/events/log/store";
import { transport } from "@/tests/support/writers/people";
import { barriers } from "../support/browser/axe";
import { newDocument, person, saved, shownId, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { onceMore } from "../support/request";
import { closeContexts, sharedBrowser } from "../support/browser/shared-browser";

const root = fileURLToPath(new URL("../../..", import.meta.url));
let browser: Browser;
let ana: Person;
let folder: string;
let bundle: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  folder = await mkdtemp(join(tmpdir(), "palimpsest-proof-"));
  ana = await person(browser, "Ana");
  await newDocument(ana, "Plans </script> & “more”");
  await text(ana.page).click();
  await ana.page.keyboard.type("First <b>thoughts</b> and second ones.");
  await saved(ana.page);
  await ana.page.keyboard.press("Control+a");
  await ana.page.keyboard.press("Control+Shift+M");
  await ana.page.getByRole("textbox", { name: "Comment" }).fill("Which <i>thoughts</i>?");
  await ana.page.keyboard.press("Control+Enter");
  await ana.page
    .getByRole("article", { name: /^Comment thread on/ })
    .getByText("Which <i>thoughts</i>?")
    .waitFor();
  await chosen(ana.page, "Name this version…");
  const naming = ana.page.getByRole("dialog", { name: "Name this version" });
  await naming.getByRole("textbox", { name: "Name" }).fill("As sent");
  await naming.getByRole("button", { name: "Save name" }).click();
  await ana.page.getByText("Named “As sent”.").first().waitFor();
});

afterAll(async () => {
  await closeContexts();
  await rm(folder, { recursive: true, force: true });
});

async function chosen(page: Page, item: string): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("menuitem", { name: item }).click();
}

/** Opens the dialog that saves a document with its history. */
async function exporting(page: Page): Promise<void> {
  await page.getByRole("button", { name: "More", exact: true }).click();
  // A mouse that jumps between two menus closes the second one.
  await page.getByRole("menuitem", { name: "Download" }).press("ArrowRight");
  await page.getByRole("menuitem", { name: "With its history" }).press("Enter");
}

/** axe's findings in either theme, and sideways scrolling on the narrowest phone. */
async function faults(page: Page): Promise<string[]> {
  const found: string[] = [];
  const { width, height } = page.viewportSize() ?? { width: 1280, height: 720 };
  for (const colorScheme of ["dark", "light"] as const) {
    await page.emulateMedia({ colorScheme });
    found.push(...(await barriers(page)));
  }
  await page.setViewportSize({ width: 320, height: 640 });
  const wide = await page.evaluate(() =>
    Math.max(
      document.documentElement.scrollWidth,
      ...[...document.querySelectorAll("[role=dialog], main")].map(
        (element) => element.scrollWidth,
      ),
    ),
  );
  if (wide > 320) found.push(`something is ${wide} pixels wide`);
  await page.setViewportSize({ width, height });
  return found;
}

type Wire = { version: number; update: string | null; body: string | null };
const reading = /\/rpc\/read_events/;

/** Changes what the page reads of the log from now on; returns the function that ends it. */
async function damaged(page: Page, damage: (rows: Wire[]) => Wire[]): Promise<() => Promise<void>> {
  await page.route(reading, async (route) => {
    const answer = await route.fetch(onceMore);
    const rows: Wire[] = await answer.json();
    await route.fulfill({ response: answer, json: damage(rows) });
  });
  // Waits for an answer in progress: without its route the browser would continue, and it would be
  // answered twice.
  return () => page.unrouteAll({ behavior: "wait" });
}

/** Holds back all reads of the log until the returned function is called. */
async function heldUp(page: Page): Promise<() => Promise<void>> {
  let release = () => {};
  const held = new Promise<void>((settle) => (release = settle));
  await page.route(reading, (route) => held.then(() => route.continue()));
  return async () => {
    release();
    await page.unrouteAll({ behavior: "wait" });
  };
}

/** The command's output for a file, and its exit code. */
function verified(file: string): Promise<{ code: number; output: string }> {
  return new Promise((settle) => {
    const args = [
      join(root, "node_modules/tsx/dist/cli.mjs"),
      join(root, "events/proof/verify-file.ts"),
      file,
    ];
    const child = execFile(process.execPath, args, { cwd: root }, (_error, stdout, stderr) =>
      settle({ code: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

describe("proving a history", () => {
  it("[PROOF-1] [PROOF-4] recomputes it in the page and reports it intact", async () => {
    await chosen(ana.page, "Verify history…");
    const dialog = ana.page.getByRole("dialog", { name: "Verify history" });
    await dialog.getByText("This history is as it was recorded.").waitFor();
    expect(await dialog.getByText(/events follow from the beginning/).innerText()).toMatch(
      /All \d+ events/,
    );
    expect(await faults(ana.page)).toEqual([]);
    await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await dialog.getByRole("button", { name: "Copy" }).click();
    await ana.page.getByText("Fingerprint copied").first().waitFor();
    const [, version = "", hash = ""] =
      /^(\d+) ([0-9a-f]{64})$/.exec(
        await ana.page.evaluate(() => navigator.clipboard.readText()),
      ) ?? [];
    expect(await dialog.getByText(/^Fingerprint at event/).innerText()).toContain(
      `event ${version}.`,
    );
    expect((await dialog.getByRole("code").innerText()).replaceAll(" ", "")).toBe(hash);
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  it("[PROOF-1] stops when cancelled, and starts again on request", async () => {
    const release = await heldUp(ana.page);
    await chosen(ana.page, "Verify history…");
    const dialog = ana.page.getByRole("dialog", { name: "Verify history" });
    await dialog.getByRole("progressbar", { name: "Checking the history" }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByText("You stopped the check. Nothing was changed.").waitFor();
    await release();
    await dialog.getByRole("button", { name: "Verify again" }).click();
    await dialog.getByText("This history is as it was recorded.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  it(
    "[VERIFY-2] [VERIFY-3] names the damaged event in its dialog, and reports a repaired log " +
      "intact",
    async () => {
      const flipped = (rows: Wire[]) => {
        const [row] = rows.filter(({ update }) => update !== null);
        const bytes = Buffer.from(row?.update ?? "", "base64");
        bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
        return rows.map((each) =>
          each === row ? { ...each, update: bytes.toString("base64") } : each,
        );
      };
      const dialog = ana.page.getByRole("dialog", { name: "Verify history" });
      let end = await damaged(ana.page, flipped);
      await chosen(ana.page, "Verify history…");
      await dialog
        .getByRole("alert")
        .getByText(/^The content of event \d+ is not what was recorded\.$/)
        .waitFor();
      expect(await dialog.getByRole("alert").innerText()).toContain(
        "from there on nothing is proved",
      );
      expect(await faults(ana.page)).toEqual([]);
      await end();
      end = await damaged(ana.page, (rows) => rows.filter(({ version }) => version !== 3));
      await dialog.getByRole("button", { name: "Verify again" }).click();
      await dialog
        .getByRole("alert")
        .getByText("Event 3 is missing, or is not in its place.")
        .waitFor();
      await end();
      await dialog.getByRole("button", { name: "Verify again" }).click();
      await dialog.getByText("This history is as it was recorded.").waitFor();
      await dialog.getByRole("button", { name: "Close" }).last().click();
    },
  );

  it("[VERIFY-9] reports a shown text that differs from its events, and has it rebuilt", async () => {
    let taken = 0;
    const end = await damaged(ana.page, (rows) => {
      taken += rows.filter(({ update }) => update !== null).length;
      return rows.map((row) => ({ ...row, update: null }));
    });
    const other = await ana.context.newPage();
    await other.goto(new URL(ana.page.url()).pathname);
    await writable(other).click();
    await other.keyboard.press("Control+End");
    await other.keyboard.type(" Third ones.");
    await saved(other);
    await expect.poll(() => taken).toBeGreaterThan(0);
    await other.close();
    await end();
    await chosen(ana.page, "Verify history…");
    const dialog = ana.page.getByRole("dialog", { name: "Verify history" });
    await dialog
      .getByRole("alert")
      .getByText(
        "The history is as it was recorded, and the text you were shown is not what it adds up to.",
      )
      .waitFor();
    const reloaded = ana.page.waitForEvent("load");
    await dialog.getByRole("button", { name: "Rebuild the text" }).click();
    await reloaded;
    await text(ana.page).getByText("Third ones.").waitFor();
    await writable(ana.page).waitFor();
    await chosen(ana.page, "Verify history…");
    await dialog.getByText("This history is as it was recorded.").waitFor();
    await dialog.getByRole("button", { name: "Close" }).last().click();
  });

  it("[PROOF-2] [BUNDLE-13] exports a file that verifies offline, until one byte changes", async () => {
    await saved(ana.page);
    await exporting(ana.page);
    const dialog = ana.page.getByRole("dialog", { name: "Export" });
    await dialog.waitFor();
    expect(await faults(ana.page)).toEqual([]);
    const release = await heldUp(ana.page);
    await dialog.getByRole("button", { name: "Export" }).click();
    await dialog.getByRole("progressbar", { name: "Reading the history" }).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByText("A stand-alone player and verifier").waitFor();
    await release();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "detached" });
    await exporting(ana.page);
    const coming = ana.page.waitForEvent("download");
    await dialog.getByRole("button", { name: "Export" }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe("Plans script & “more”.palimpsest.zip");
    bundle = join(folder, "bundle.zip");
    await download.saveAs(bundle);
    await dialog.getByRole("status").waitFor();
    expect(await faults(ana.page)).toEqual([]);
    await dialog.getByRole("button", { name: "Close" }).last().click();

    const bytes = await readFile(bundle);
    const other = join(folder, "other.zip");
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
    await writeFile(other, bytes);
    const [sound, changed, missing] = await Promise.all(
      [bundle, other, join(folder, "none.zip")].map(verified),
    );
    expect(sound).toMatchObject({
      code: 0,
      output: expect.stringMatching(
        /^Verified\.\n“Plans <\/script> & “more””[^]*its program is the one of this version/,
      ),
    });
    expect(changed).toMatchObject({ code: 1, output: expect.stringMatching(/^Not verified\. /) });
    expect(missing).toMatchObject({ code: 2 });
  });

  it("[PROOF-3] [PROOF-4] plays and verifies from a file, without requests and under its own policy", async () => {
    const files = unzipSync(await readFile(bundle));
    const player = join(folder, "player.html");
    await writeFile(player, files["player.html"] ?? new Uint8Array());
    const context = await browser.newContext({ reducedMotion: "reduce", offline: true });
    const page = await context.newPage();
    const asked: string[] = [];
    const broken: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    page.on("console", (message) => message.type() === "error" && broken.push(message.text()));
    page.on("pageerror", (error) => broken.push(error.message));
    await page.goto(pathToFileURL(player).href);
    await page.getByText(/^Verified: \d+ events$/).waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe(
      "Plans </script> & “more”",
    );
    const shown = page.getByRole("region", { name: "Document at this moment" });
    await expect.poll(() => shown.innerText()).toContain("First <b>thoughts</b> and second ones.");
    const comments = page.getByRole("complementary", { name: "Comments at this moment" });
    await expect
      .poll(() => comments.innerText())
      .toMatch(/^First <b>thoughts[^]*\nAna[^]*\nWhich <i>thoughts<\/i>\?/);
    const [words, note] = await Promise.all([
      shown.getByText("thoughts").first().boundingBox(),
      comments.getByRole("listitem").first().boundingBox(),
    ]);
    expect(Math.abs((words?.y ?? 0) - (note?.y ?? 0))).toBeLessThan(30);
    await page.keyboard.press("Home");
    await expect.poll(() => shown.innerText()).not.toContain("thoughts");
    await comments.waitFor({ state: "hidden" });
    await page.keyboard.press("m");
    const version = page
      .getByRole("toolbar", { name: "Versions" })
      .getByRole("button", { name: /^As sent, .*, named by Ana$/ });
    await expect
      .poll(() => version.evaluate((button) => button === document.activeElement))
      .toBe(true);
    await page.keyboard.press("Enter");
    await expect.poll(() => version.getAttribute("aria-current")).toBe("true");
    await expect.poll(() => shown.innerText()).toContain("thoughts");
    await page.getByRole("slider", { name: "Moment" }).focus();
    await page.keyboard.press("Home");
    await page.getByRole("button", { name: "Play" }).click();
    await expect.poll(() => shown.innerText()).toContain("First <b>thoughts</b> and second ones.");
    expect(await faults(page)).toEqual([]);
    expect(broken).toEqual([]);
    expect(asked).toEqual([pathToFileURL(player).href]);
    await context.close();
  });

  it("[IMPORT-11] is cancelled with its dialog, and its part moves to the trash", async () => {
    const { page } = ana;
    await page.getByRole("link", { name: "All documents" }).click();
    await page.waitForURL(/\/w\/[^/]+$/);
    const before = page.url();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Import" });
    await dialog.getByLabel("File to import").setInputFiles(bundle);
    let release = () => {};
    const held = new Promise<void>((settle) => (release = settle));
    const appending = /append_events/;
    await page.route(appending, (route) => held.then(() => route.continue()));
    const asked = page.waitForRequest(appending);
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await asked;
    await dialog.getByRole("button", { name: "Cancel" }).click();
    release();
    await page
      .getByText("The import was cancelled. The part that was imported is in the trash.")
      .first()
      .waitFor();
    expect([page.url(), await dialog.count()]).toEqual([before, 0]);
    await page.unroute(appending);
  });

  it(
    "[IMPORT-2] [IMPORT-3] [IMPORT-4] [IMPORT-9] starts a document that names its file, and " +
      "refuses a changed file",
    async () => {
      const { page } = ana;
      await page.getByRole("link", { name: "All documents" }).click();
      await page.getByRole("button", { name: "Import", exact: true }).click();
      const dialog = page.getByRole("dialog", { name: "Import" });
      await dialog.getByLabel("File to import").setInputFiles(join(folder, "other.zip"));
      await dialog.getByRole("alert").filter({ hasText: "Nothing was imported." }).waitFor();
      expect(await faults(page)).toEqual([]);
      await dialog.getByLabel("File to import").setInputFiles(bundle);
      await dialog.getByText(/events by Ana, exported by Ana/).waitFor();
      expect(await faults(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Back" }).click();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      await dialog.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Import", exact: true }).click();
      await dialog.getByLabel("File to import").setInputFiles(bundle);
      await dialog.getByText(/events by Ana, exported by Ana/).waitFor();
      const before = page.url();
      await dialog.getByRole("button", { name: "Import", exact: true }).click();
      await page.waitForURL((url) => url.href !== before && url.pathname.startsWith("/d/"));
      await expect
        .poll(() => text(page).innerText())
        .toContain("First <b>thoughts</b> and second ones.");
      await page
        .getByRole("article", { name: /^Comment thread on/ })
        .getByText(/^Ana, .* \(imported\): Which <i>thoughts<\/i>\?$/)
        .waitFor();
      await page
        .getByRole("complementary", { name: "Import" })
        .getByText(/Imported from .* Written there by Ana\./)
        .waitFor();
      await writable(page).click();
      await page.keyboard.press("Control+End");
      await page.keyboard.type(" And more.");
      await saved(page);
      await page.getByRole("button", { name: "History" }).click();
      const past = page.getByRole("region", { name: "Document at this moment" });
      await past
        .getByText(
          /Imported from “Plans <\/script> & “more””, exported by Ana on .* Written there by Ana\./,
        )
        .waitFor();
      await expect.poll(() => past.innerText()).toContain("second ones. Third ones. And more.");
    },
  );

  it("[IMPORT-5] [FORK-9] plays the import with comments and versions, under names marked as imported", async () => {
    const { page } = ana;
    const past = page.getByRole("region", { name: "Document at this moment" });
    const slider = page.getByRole("slider", { name: "Moment" });
    await slider.focus();
    await page.keyboard.press("Home");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/, Ana, edit 1 of/);
    await page.getByRole("button", { name: "Back to live" }).click();
    // The player has a menu with the same name.
    await slider.waitFor({ state: "detached" });
    await chosen(page, "Name this version…");
    await page
      .getByRole("list", { name: "Versions" })
      .getByRole("button", { name: /^As sent/ })
      .click();
    await slider.waitFor();
    await expect.poll(() => slider.getAttribute("aria-valuetext")).toMatch(/Ana \(imported\)/);
    await expect.poll(() => past.innerText()).toContain("First <b>thoughts</b> and second ones.");
    const comments = past.getByRole("complementary", { name: "Comments at this moment" });
    await comments.getByText("Which <i>thoughts</i>?").waitFor();
    await expect.poll(() => comments.innerText()).toContain("Ana (imported)");
    await page.keyboard.press("End");
    await expect.poll(() => slider.getAttribute("aria-valuetext")).not.toContain("(imported)");
  });

  it("[DOCS-2] lists an import once, without the events that it repeats", async () => {
    const { page } = ana;
    await page.getByRole("link", { name: "Activity" }).click();
    const feed = page.getByRole("feed", { name: "Activity" });
    await feed.getByText("imported it from a file").first().waitFor();
    const told = await feed.getByRole("paragraph").allInnerTexts();
    // The rest belongs to earlier documents.
    const own = told.slice(0, 2).filter((words) => /imported it from a file/.test(words));
    expect(own).toHaveLength(1);
    // What the file repeats happened once, in the exported document.
    for (const once of [/named a version/, /commented/])
      expect(told.filter((words) => once.test(words))).toHaveLength(1);
  });

  it("[IMPORT-10] keeps the rest of an interrupted import, and imports it on request", async () => {
    const { page } = ana;
    const asked = page.waitForRequest(reading);
    await newDocument(ana);
    const request = await asked;
    const { apikey = "", authorization = "" } = await request.allHeaders();
    const client = createClient(new URL(request.url()).origin, apikey, {
      global: { headers: { authorization } },
      auth: { persistSession: false },
      realtime: { transport },
    });
    const renamed = (title: string) => ({
      id: systemRandom.uuid(),
      type: "document.renamed",
      body: { title },
    });
    for (const batch of ["A", "B", "C"]) {
      const { ok } = await supabaseStore(client).append(
        shownId(page),
        null,
        Array.from({ length: 80 }, (_, at) => renamed(`${batch} ${at}`)),
      );
      expect(ok).toBe(true);
    }
    await page.getByRole("textbox", { name: "Title" }).getByText("C 79").waitFor();
    await exporting(page);
    const exportDialog = page.getByRole("dialog", { name: "Export" });
    const coming = page.waitForEvent("download");
    await exportDialog.getByRole("button", { name: "Export" }).click();
    const long = join(folder, "long.zip");
    await (await coming).saveAs(long);
    await exportDialog.getByRole("button", { name: "Close" }).last().click();

    await page.getByRole("link", { name: "All documents" }).click();
    await page.getByRole("button", { name: "Import", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Import" });
    await dialog.getByLabel("File to import").setInputFiles(long);
    await dialog.getByText(/events by Ana, exported by Ana/).waitFor();
    const appending = /\/rpc\/append_events/;
    let sent = 0;
    await page.route(appending, (route) => (sent++ === 0 ? route.continue() : route.abort()));
    await dialog.getByRole("button", { name: "Import", exact: true }).click();
    await dialog
      .getByRole("alert")
      .getByText(
        /Only a part of the document is imported so far\..*The rest is still in this tab and in your file\./,
      )
      .waitFor();
    await page.unroute(appending);
    await dialog.getByRole("button", { name: "Import the rest" }).click();
    await page.waitForURL((url) => url.pathname.startsWith("/d/"));
    await page.getByRole("textbox", { name: "Title" }).getByText("C 79").waitFor();
  });
});
