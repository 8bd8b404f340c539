import { readdir, readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { barriers } from "../support/browser/axe";
import { saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider } from "../support/player";
import { sharedDocument } from "../support/shared-document";
import { hasFocus } from "../support/browser/layers";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let workspace: string;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, workspace, path } = await sharedDocument(browser, {
    title: "Tides",
    begun: "Low water at noon. ",
    ended: "High water at six.",
  }));
});

const button = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).filter({ visible: true }).first();

/** Picks from a menu; returns the menu's button. */
async function picked(page: Page, menu: string, item: string): Promise<Locator> {
  const trigger = button(page, menu);
  await trigger.click();
  await page.getByRole("menuitem", { name: item }).click();
  return trigger;
}

/** Presses a button and returns it. */
async function pressed(page: Page, name: string): Promise<Locator> {
  await button(page, name).click();
  return button(page, name);
}

type Opening = {
  file: string;
  place: "document" | "past" | "documents" | "members" | "account";
  open: (page: Page) => Promise<Locator>;
};

const openings: Record<string, Opening> = {
  "Share, by its button": {
    file: "sharing/share-dialog",
    place: "document",
    open: (page) => pressed(page, "Share"),
  },
  "Share, from the menu": {
    file: "sharing/share-dialog",
    place: "document",
    open: (page) => picked(page, "More", "Share…"),
  },
  Versions: {
    file: "history/versions/versions-dialog",
    place: "document",
    open: (page) => picked(page, "More", "Name this version…"),
  },
  "Icon, by its button": {
    file: "document/icon/icon-dialog",
    place: "document",
    open: (page) => pressed(page, "Add icon"),
  },
  "Icon, from the menu": {
    file: "document/icon/icon-dialog",
    place: "document",
    open: (page) => picked(page, "More", "Add icon…"),
  },
  Outline: {
    file: "document/outline/outline-dialog",
    place: "document",
    open: (page) => picked(page, "More", "Outline and word count…"),
  },
  Move: {
    file: "frame/documents/move-dialog",
    place: "document",
    open: (page) => picked(page, "More", "Move to…"),
  },
  Verify: {
    file: "history/proof/verify-dialog",
    place: "document",
    open: (page) => picked(page, "More", "Verify history…"),
  },
  Export: {
    file: "history/proof/export-dialog",
    place: "document",
    open: async (page) => {
      const trigger = await pressed(page, "More");
      await page.getByRole("menuitem", { name: "Download" }).press("ArrowRight");
      await page.getByRole("menuitem", { name: "With its history" }).press("Enter");
      return trigger;
    },
  },
  Invite: {
    file: "sharing/share-dialog",
    place: "members",
    open: (page) => pressed(page, "Invite"),
  },
  Import: {
    file: "history/proof/import-dialog",
    place: "documents",
    open: (page) => pressed(page, "Import"),
  },
  "Create a workspace": {
    file: "workspace/create-workspace",
    place: "documents",
    open: async (page) => {
      const trigger = page.getByRole("button", { name: /switch workspace/ }).first();
      await trigger.click();
      await page.getByRole("menuitem", { name: "Create a workspace" }).click();
      return trigger;
    },
  },
  "Remove a member": {
    file: "workspace/members/member-row",
    place: "members",
    open: (page) => picked(page, "Actions for Ben", "Remove from workspace"),
  },
  "Delete account": {
    file: "account/own-data/delete-account-dialog",
    place: "account",
    open: (page) => pressed(page, "Delete account"),
  },
  "Keyboard shortcuts": {
    file: "commands/shortcuts-dialog",
    place: "past",
    open: (page) => picked(page, "More", "Keyboard shortcuts"),
  },
  "Go to a moment": {
    file: "history/player/dialogs/go-to-dialog",
    place: "past",
    open: async (page) => (
      await picked(page, "More", "Go to a date or an edit"),
      revisionSlider(page)
    ),
  },
  Chapters: {
    file: "history/player/dialogs/chapters-dialog",
    place: "past",
    open: async (page) => (await picked(page, "More", "Chapters"), revisionSlider(page)),
  },
  Redact: {
    file: "history/redaction/redact-dialog",
    place: "past",
    open: async (page) => (await picked(page, "More", "Redact this edit…"), revisionSlider(page)),
  },
  Restore: {
    file: "history/restore/restore-dialog",
    place: "past",
    open: async (page) => (await button(page, "Restore this moment").click(), revisionSlider(page)),
  },
};

/**
 * Dialogs tested elsewhere: those of narrow screens, of unsent text, of documents that cannot be
 * opened, and of the trash.
 */
const elsewhere = [
  // What the dialog "Import" shows for a file that is not a bundle.
  "history/proof/files-import",
  "history/fork/merge-dialog",
  "frame/tree-sheet",
  "comments/threads-frame",
  "document/unsent/save-elsewhere",
  "session/sign-out/sign-out-dialog",
  "document/stopped-page",
  "editor/blocks/block-sheet",
  "workspace/trash/purge-dialog",
];

/** Goes to an address, unless the page is there without a dialog. */
async function stand(page: Page, address: string): Promise<void> {
  const { href } = new URL(address, inject("url"));
  const isThere = page.url() === href && (await page.getByRole("dialog").count()) === 0;
  if (!isThere) await page.goto(address);
}

const places = {
  document: async (page: Page) => {
    await stand(page, path);
    await writable(page).waitFor();
  },
  past: async (page: Page) => {
    await stand(page, `${path}?at=2`);
    await revisionSlider(page).waitFor();
    await expect.poll(() => button(page, "Restore this moment").isEnabled()).toBe(true);
  },
  documents: (page: Page) => stand(page, `/w/${workspace}`),
  members: (page: Page) => stand(page, `/w/${workspace}/members`),
  account: (page: Page) => stand(page, "/account"),
};

const isFocused = (locator: Locator) =>
  locator.evaluate((element) => element === document.activeElement);

/** A page of Ana's that receives no animation events, as on a busy machine. */
async function withoutAnimationEvents(): Promise<Page> {
  const page = await ana.context.newPage();
  await page.addInitScript(() => {
    for (const type of ["animationstart", "animationend", "animationcancel"])
      addEventListener(type, (event) => event.stopImmediatePropagation(), { capture: true });
  });
  return page;
}

describe("a closed layer disappears", () => {
  it("[DOCS-18] a menu, which opens again", async () => {
    const page = await withoutAnimationEvents();
    await places.document(page);
    for (const item of ["Copy link", "Copy as Markdown", "Copy link"]) {
      await picked(page, "More", item);
      await page.getByRole("menu").waitFor({ state: "detached" });
    }
    await page.close();
  });

  it("[DOCS-18] a sheet", async () => {
    const page = await withoutAnimationEvents();
    await page.setViewportSize({ width: 390, height: 800 });
    await places.document(page);
    for (const _ of ["first", "again"]) {
      await pressed(page, "Pages");
      await hasFocus(page.getByRole("dialog"));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
    await page.close();
  });

  it("[DOCS-18] a tooltip", async () => {
    const page = await withoutAnimationEvents();
    await places.past(page);
    // The slider takes the focus a frame after it appears.
    await expect.poll(() => isFocused(revisionSlider(page))).toBe(true);
    for (const _ of ["first", "again"]) {
      await button(page, "Next edit").focus();
      await page.getByRole("tooltip").waitFor();
      await revisionSlider(page).focus();
      await page.getByRole("tooltip").waitFor({ state: "detached" });
    }
    await page.close();
  });
});

describe("an open dialog", () => {
  const pointer = (page: Page) =>
    writable(page).evaluate((element) => getComputedStyle(element).pointerEvents);

  it("[EDIT-58] keeps the pointer off the page with its scrim, and changes no style of the page", async () => {
    const { page } = ana;
    await places.document(page);
    await pressed(page, "Share");
    await page.getByRole("dialog").waitFor();
    // Radix sets it in the effects that focus the dialog.
    await expect.poll(() => page.evaluate(() => document.body.style.pointerEvents)).toBe("none");
    expect(await pointer(page)).toBe("auto");
    const isOnScrim = await page.evaluate(
      () => document.elementFromPoint(2, 2)?.closest("main, nav, header, #text") === null,
    );
    expect(isOnScrim).toBe(true);
    await page.mouse.click(2, 2);
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await expect.poll(() => page.evaluate(() => document.body.dataset.scrim)).toBeUndefined();
  });
});

describe("a closed dialog gives the focus back", () => {
  it("[DOCS-10] is tested for every dialog", async () => {
    const files = (await readdir("components", { recursive: true })).filter(
      // The gallery demonstrates dialogs, and is in no build.
      (file) => file.endsWith(".tsx") && file !== "ui/dialog.tsx" && !file.startsWith("gallery/"),
    );
    const sources = await Promise.all(
      files.map(async (file) => [file, await readFile(`components/${file}`, "utf8")] as const),
    );
    const dialogs = sources
      .filter(([, source]) => /from "[^"]*(ui|\.)\/dialog"/.test(source))
      .map(([file]) => file.replace(/\.tsx$/, ""));
    expect(new Set([...Object.values(openings).map(({ file }) => file), ...elsewhere])).toEqual(
      new Set(dialogs),
    );
  });

  for (const [name, { place, open }] of Object.entries(openings)) {
    it(`[DOCS-10] ${name}`, async () => {
      await places[place](ana.page);
      const opener = await open(ana.page);
      await hasFocus(ana.page.getByRole("dialog"));
      await ana.page.keyboard.press("Escape");
      await ana.page.getByRole("dialog").waitFor({ state: "detached" });
      await expect.poll(() => isFocused(opener)).toBe(true);
    });
  }

  it("[DOCS-10] from a key in the text: to the text, with the same selection", async () => {
    await places.document(ana.page);
    await writable(ana.page).click();
    await ana.page.keyboard.press("Control+Home");
    for (let letter = 0; letter < 9; letter += 1) await ana.page.keyboard.press("Shift+ArrowRight");
    await ana.page.keyboard.press("Control+Alt+Shift+H");
    await revisionSlider(ana.page).waitFor();
    await expect.poll(() => isFocused(revisionSlider(ana.page))).toBe(true);
    await ana.page.keyboard.press("Escape");
    await expect.poll(() => isFocused(text(ana.page))).toBe(true);
    await expect.poll(() => ana.page.evaluate(() => getSelection()?.toString())).toBe("Low water");
  });

  it("[PALETTE-7] command keys work as soon as the text is editable", async () => {
    const page = await ana.context.newPage();
    // As on a machine that is never idle: idle callbacks never run.
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0;
    });
    await page.goto(path);
    await writable(page).click();
    await page.keyboard.press("Control+Alt+Shift+H");
    // The player waits for idle time; the address does not.
    await page.waitForURL(/\?at=/);
    await page.close();
  });

  it("[DOCS-10] leaving the player: to the button that opened it", async () => {
    await places.document(ana.page);
    await button(ana.page, "History").click();
    await revisionSlider(ana.page).waitFor();
    await ana.page.getByRole("button", { name: /^Back to live/ }).click();
    await expect.poll(() => isFocused(button(ana.page, "History"))).toBe(true);
  });

  it("[DOCS-10] merging changes of a fork’s other document", async () => {
    await places.document(ana.page);
    await picked(ana.page, "More", "Fork this document");
    await ana.page.getByRole("complementary", { name: "Fork" }).waitFor();
    const opener = await pressed(ana.page, "Merge back…");
    await ana.page.getByRole("dialog").waitFor();
    // The fork's toast handles Escape until the dialog is the topmost layer.
    await expect
      .poll(async () => {
        await ana.page.keyboard.press("Escape");
        return isFocused(opener);
      })
      .toBe(true);
  });

  it("[DOCS-10] the sheets of a narrow screen", async () => {
    await ana.page.setViewportSize({ width: 390, height: 800 });
    await places.document(ana.page);
    const opener = await pressed(ana.page, "Pages");
    await hasFocus(ana.page.getByRole("dialog"));
    await ana.page.keyboard.press("Escape");
    await expect.poll(() => isFocused(opener)).toBe(true);
    await ana.page.setViewportSize({ width: 1280, height: 720 });
  });
});

it("[A11Y-1] axe finds nothing in the open outline, empty or with headings", async () => {
  const { page } = ana;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await places.document(page);
  for (const headings of [0, 2]) {
    await picked(page, "More", "Outline and word count…");
    const outline = page.getByRole("dialog", { name: "Outline" });
    await outline.waitFor();
    await outline.getByText(headings > 0 ? "Neaps" : "No headings yet.").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
    }
    await page.keyboard.press("Escape");
    await outline.waitFor({ state: "detached" });
    if (headings > 0) return;
    await writable(page).click();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("\n## Springs\n### Neaps\nAnd words.");
    await saved(page);
  }
});
