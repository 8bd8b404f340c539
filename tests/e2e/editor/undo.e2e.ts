import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { bringIn } from "@/tests/support/writers/writers";
import { person, saved, writable } from "../support/person";
import type { Person } from "../support/person";
import { expectRecorded } from "../support/recorded";
import { sharedBrowser } from "../support/browser/shared-browser";
import { begun, html, undoAndRedo, keys, paragraphs } from "../support/undo";

let browser: Browser;
let ana: Person;
let ben: Person;
const faults: string[] = [];

beforeAll(async () => {
  browser = await sharedBrowser();
  ana = await person(browser, "Ana");
  ben = await person(browser, "Ben");
  for (const { page } of [ana, ben]) page.on("pageerror", (fault) => faults.push(fault.message));
  const { workspace } = ana;
  await bringIn(ana, ben, workspace, "editor");
});

describe("undo", () => {
  it("[EDIT-20] undoes continuous typing a word at a time", async () => {
    await begun(ana);
    await ana.page.keyboard.type("The tide turns at nine, they said.");
    await keys(ana, "Control+z");
    expect(await paragraphs(ana)).toEqual(["The tide turns at nine, they "]);
    await keys(ana, "Control+z", 2);
    expect(await paragraphs(ana)).toEqual(["The tide turns at "]);
  });

  it("[EDIT-21] redoes exactly the former text, in a new document", async () => {
    await begun(ana);
    await ana.page.keyboard.type("Alpha beta.");
    const written = await html(ana);
    await keys(ana, "Control+z", 4);
    expect(await paragraphs(ana)).toEqual([""]);
    await keys(ana, "Control+Shift+z", 4);
    expect(await html(ana)).toBe(written);
    await saved(ana.page);
    await ana.page.reload();
    await writable(ana.page).waitFor();
    expect(await paragraphs(ana)).toEqual(["Alpha beta."]);
  });

  it("[EDIT-22] restores a heading as typed, and redo converts it again", async () => {
    await begun(ana);
    await undoAndRedo(ana, "# ", "h2");
  });

  it(
    "[WRITE-30] [WRITE-31] undoes one’s own words alone while another person types and " +
      "deletes in the paragraph",
    async () => {
      const path = await begun(ana);
      await ana.page.keyboard.type("one two three four five");
      await saved(ana.page);
      await ben.page.goto(path);
      await writable(ben.page).click();
      await keys(ben, "Control+End");
      const typing = ben.page.keyboard.type(" BEN WRITES ON AND ON", { delay: 10 });
      // With nothing between them, either person's words may come first.
      await expect.poll(() => paragraphs(ana)).toEqual([expect.stringContaining("five B")]);
      await keys(ana, "Control+z", 2);
      await typing;
      await expect.poll(() => paragraphs(ana)).toEqual(["one two three  BEN WRITES ON AND ON"]);
      await keys(ben, "Home");
      await keys(ben, "Control+Delete");
      await expect
        .poll(() => paragraphs(ana))
        .toEqual([expect.stringMatching(/^\s?two three {2}BEN WRITES ON AND ON$/)]);
      // More often than there are steps to undo: the browser's own undo must not step in.
      await keys(ana, "Control+z", 8);
      await expect
        .poll(async () => (await paragraphs(ben)).join("").trim())
        .toBe("BEN WRITES ON AND ON");
      await keys(ana, "Control+Shift+z", 8);
      await expect
        .poll(
          async () =>
            JSON.stringify(await paragraphs(ana)) === JSON.stringify(await paragraphs(ben)),
        )
        .toBe(true);
      expect((await paragraphs(ana))[0]).toContain("four five");
      await expectRecorded(ana, ben);
      expect(faults).toEqual([]);
    },
  );
});
