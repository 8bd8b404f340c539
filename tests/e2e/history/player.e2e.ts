import { createClient } from "@supabase/supabase-js";
import type { Browser } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import { decodeEdits } from "@/events/crdt/payload/payload";
import { SegmentBuilder } from "@/events/history/segments/segment";
import { framed } from "@/events/history/segments/segment-stream";
import { supabaseStore } from "@/events/log/store";
import { transport } from "@/tests/support/writers/people";
import { barriers } from "../support/browser/axe";
import { choose, newDocument, saved, shownId, text, titleBox, writable } from "../support/person";
import type { Person } from "../support/person";
import { revisionSlider, past } from "../support/player";
import { sharedDocument } from "../support/shared-document";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;

beforeAll(async () => {
  browser = await sharedBrowser();
  ({ ana, ben, path } = await sharedDocument(browser, {
    title: "First title",
    begun: "First sentence. ",
    ended: "Second sentence.",
  }));
  await titleBox(ana.page).fill("Second title");
  await titleBox(ana.page).press("Enter");
  await text(ana.page).click();
  await ana.page.keyboard.press("Control+End");
  // Letters typed while an earlier one is being recorded are recorded together, however slowly a
  // busy machine types.
  const appending = /rpc\/append_events/;
  let release = () => {};
  const held = new Promise<void>((settle) => (release = settle));
  await ana.page.route(appending, (route) => held.then(() => route.continue()));
  await ana.page.keyboard.type(" Third.");
  release();
  await saved(ana.page);
  await ana.page.unroute(appending);
});

describe("the player", () => {
  const sliderText = (who: Person) => revisionSlider(who.page).getAttribute("aria-valuetext");
  const control = (name: string | RegExp) =>
    ana.page.getByRole("region", { name: "Player" }).getByRole("button", { name });
  const openAt = async (query: string) => {
    await ana.page.goto(`${path}${query}`);
    await revisionSlider(ana.page).waitFor();
  };
  const reading = /rpc\/read_events/;
  /** The document's events, as the page reads them. */
  const recorded = async () => {
    const asked = ana.page.waitForRequest(reading);
    await openAt("?at=2");
    const request = await asked;
    const { apikey = "", authorization = "" } = await request.allHeaders();
    const client = createClient(new URL(request.url()).origin, apikey, {
      global: { headers: { authorization } },
      auth: { persistSession: false },
      realtime: { transport },
    });
    return supabaseStore(client).read(shownId(ana.page), 0);
  };
  const fromMenu = async (item: string) => {
    await control("More").click();
    await ana.page.getByRole("menuitem", { name: item }).click();
  };

  it("[HISTORY-7] opens the address's revision and range, and copies a link to them", async () => {
    await ana.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await openAt("?at=3&from=2&to=4");
    await expect.poll(() => past(ana.page).innerText()).toContain("F");
    await ana.page.getByText(/ is played/).waitFor();
    await revisionSlider(ana.page).press("c");
    await ana.page
      .getByText(/copied/)
      .first()
      .waitFor();
    expect(await ana.page.evaluate(() => navigator.clipboard.readText())).toContain(
      `${path}?at=3&from=2&to=4`,
    );
    await control("Play the whole history again").click();
    await ana.page.waitForURL((url) => !url.searchParams.has("from"));
  });

  it("[HISTORY-7] plays by itself at the requested speed, unless motion is reduced", async () => {
    await openAt("?at=1&play=1&speed=0.25");
    await control("Play").waitFor();
    await ana.page.emulateMedia({ reducedMotion: "no-preference" });
    await openAt("?at=1&play=1&speed=0.25");
    await control("Pause").click();
    expect(await ana.page.getByRole("combobox", { name: "Speed" }).innerText()).toContain("0.25×");
    await openAt("?play=1&speed=0.25");
    await control("Pause").click();
    expect(Number(await revisionSlider(ana.page).getAttribute("aria-valuenow"))).toBeLessThan(
      Number(await revisionSlider(ana.page).getAttribute("aria-valuemax")),
    );
    await ana.page.emulateMedia({ reducedMotion: "reduce" });
  });

  it("[HISTORY-8] lists its keys under ?, and accepts them again when the list closes", async () => {
    await openAt("?at=2");
    await revisionSlider(ana.page).press("?");
    const list = ana.page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await list.getByText("Go to a date or an edit").waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    await ana.page.keyboard.press("Escape");
    await expect
      .poll(() => revisionSlider(ana.page).evaluate((slider) => slider === document.activeElement))
      .toBe(true);
    await ana.page.keyboard.press("End");
    await expect.poll(() => sliderText(ana)).toMatch(/edit ([\d ]+) of \1(,|$)/);
    await ana.page.keyboard.press(">");
    await expect
      .poll(() => ana.page.getByRole("combobox", { name: "Speed" }).innerText())
      .toContain("2×");
  });

  it("[HISTORY-30] accepts its keys without a focus", async () => {
    await ana.page.keyboard.press("End");
    await expect.poll(() => sliderText(ana)).toMatch(/edit ([\d ]+) of \1(,|$)/);
    await revisionSlider(ana.page).evaluate((slider) => slider.blur());
    await ana.page.keyboard.press("Home");
    await expect.poll(() => sliderText(ana)).toMatch(/edit 1 of/);
  });

  it("[HISTORY-9] goes to an edit by its number, and states the range", async () => {
    await revisionSlider(ana.page).press("g");
    const dialog = ana.page.getByRole("dialog", { name: "Go to a moment" });
    await expect
      .poll(() =>
        dialog.getByLabel("Date and time").evaluate((field) => field === document.activeElement),
      )
      .toBe(true);
    await dialog.getByLabel(/^Edit, 1 to/).fill("999999");
    await dialog.getByRole("button", { name: "Go", exact: true }).click();
    await dialog.getByRole("alert").waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    await dialog.getByLabel(/^Edit, 1 to/).fill("1");
    await dialog.getByRole("button", { name: "Go", exact: true }).click();
    await expect.poll(() => sliderText(ana)).toMatch(/edit 1 of .*began the document/);
  });

  it("[HISTORY-11] arranges the timeline bar by sessions, time or edits, and goes where it is pressed", async () => {
    await ana.page.setViewportSize({ width: 1440, height: 900 });
    for (const name of ["Time", "Edits", "Sessions"]) {
      await ana.page.getByRole("radiogroup", { name: "Axis" }).getByRole("radio", { name }).check();
      const box = await revisionSlider(ana.page).locator("xpath=../..").boundingBox();
      if (!box) throw new Error("There is no timeline bar.");
      await ana.page.mouse.click(box.x + box.width - 2, box.y + 20);
      await expect.poll(() => sliderText(ana)).toMatch(/edit ([\d ]+) of \1(,|$)/);
      await ana.page.mouse.click(box.x + 1, box.y + 20);
      await expect.poll(() => sliderText(ana)).toMatch(/edit 1 of/);
    }
  });

  it("[HISTORY-12] plays and steps through one person’s edits alone, and says so", async () => {
    await control("Filter").click();
    await ana.page.getByRole("menuitemradio", { name: "Only Ben’s" }).click();
    await ana.page.getByRole("status").filter({ hasText: "Only Ben" }).waitFor();
    await revisionSlider(ana.page).focus();
    for (const key of [".", ".", "ArrowRight"]) {
      await ana.page.keyboard.press(key);
      await expect.poll(() => sliderText(ana)).toContain(", Ben,");
    }
    await control("Clear the filter").click();
    await revisionSlider(ana.page).press("Home");
    await revisionSlider(ana.page).press(".");
    await expect.poll(() => sliderText(ana)).toContain(", Ana,");
  });

  it("[HISTORY-13] moves between marks by keyboard", async () => {
    const marks = ana.page.getByRole("toolbar", { name: "Marks" });
    await marks.getByRole("button").first().waitFor();
    await revisionSlider(ana.page).press("Home");
    await revisionSlider(ana.page).press("]");
    await expect.poll(() => sliderText(ana)).not.toMatch(/edit 1 of/);
    const stops = await marks
      .getByRole("button")
      .evaluateAll(
        (buttons) =>
          buttons.filter((button) => button instanceof HTMLElement && button.tabIndex === 0).length,
      );
    expect(stops).toBe(1);
    await marks.locator('button[tabindex="0"]').focus();
    await ana.page.keyboard.press("ArrowRight");
    expect(
      await marks
        .getByRole("button")
        .evaluateAll((buttons) => buttons.some((button) => button === document.activeElement)),
    ).toBe(true);
  });

  it("[HISTORY-14] lists the chapters and goes to the beginning of one", async () => {
    await fromMenu("Chapters");
    const dialog = ana.page.getByRole("dialog", { name: "Chapters" });
    for (const by of ["Versions", "People", "Pauses"])
      await dialog.getByRole("radio", { name: by }).check();
    expect(await barriers(ana.page)).toEqual([]);
    await dialog.getByRole("list").getByRole("button").first().click();
    await expect.poll(() => sliderText(ana)).toMatch(/edit 1 of/);
  });

  it(
    "[HISTORY-18] shows the chapters of each division on the timeline bar, and goes to a " +
      "pressed one",
    async () => {
      await fromMenu("Chapters");
      await ana.page
        .getByRole("dialog", { name: "Chapters" })
        .getByRole("radio", { name: "People" })
        .check();
      await ana.page.keyboard.press("Escape");
      const chapters = ana.page.getByRole("toolbar", { name: "Chapters" });
      await revisionSlider(ana.page).press("End");
      await chapters
        .getByRole("button", { name: /^(Ana|Ben).*\. Chapter from / })
        .first()
        .click();
      await expect.poll(() => sliderText(ana)).toMatch(/edit 1 of/);
      await expect
        .poll(() => chapters.getByRole("button").first().getAttribute("aria-current"))
        .toBe("step");
      expect(await barriers(ana.page)).toEqual([]);
    },
  );

  it(
    "[HISTORY-10] shows its card at the playhead by keyboard and touch, and Esc closes the " +
      "card first",
    async () => {
      const card = ana.page.locator("[data-card]");
      await revisionSlider(ana.page).press("Home");
      await revisionSlider(ana.page).press("ArrowRight");
      await card.waitFor();
      expect(await card.innerText()).toMatch(/\d\d:\d\d:\d\d/);
      expect(await card.locator("blockquote").count()).toBe(0);
      await revisionSlider(ana.page).press("End");
      await ana.page
        .locator("[aria-live=polite]")
        .filter({ hasText: /added “|struck “/ })
        .first()
        .waitFor({ state: "attached" });
      await ana.page.keyboard.press("Escape");
      await card.waitFor({ state: "detached" });
      await revisionSlider(ana.page).press("Home");
      await card.waitFor();
      await revisionSlider(ana.page).blur();
      await card.waitFor({ state: "detached" });
      const timelineBar = revisionSlider(ana.page).locator("xpath=../..");
      await timelineBar.dispatchEvent("pointerdown", {
        pointerType: "touch",
        pointerId: 7,
        isPrimary: true,
        button: 0,
        clientX: 400,
        clientY: 700,
      });
      await card.waitFor();
      await timelineBar.dispatchEvent("pointerup", {
        pointerType: "touch",
        pointerId: 7,
        isPrimary: true,
        clientX: 400,
        clientY: 700,
      });
      await card.waitFor({ state: "detached" });
    },
  );

  it("[HISTORY-16] changes speed and pace, and keeps everything within reach at 320 px", async () => {
    await choose(ana.page, ana.page.getByRole("combobox", { name: "Pace" }), "In 20 seconds");
    await choose(ana.page, ana.page.getByRole("combobox", { name: "Speed" }), "32×");
    await control("Play").click();
    await expect.poll(() => sliderText(ana)).toMatch(/edit ([\d ]+) of \1(,|$)/);
    await ana.page.setViewportSize({ width: 320, height: 640 });
    await control("More").click();
    for (const name of ["Chapters", "Full screen"])
      await ana.page.getByRole("menuitem", { name }).waitFor();
    for (const name of ["Even pace", "Edits", "Only comments"])
      await ana.page.getByRole("menuitemradio", { name }).waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    await ana.page.keyboard.press("Escape");
    expect(
      await ana.page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    ).toBe(0);
  });

  it("[REPLAY-12] shows, plays and steps through a history's beginning while the rest is loading", async () => {
    const rows = await recorded();
    const builder = new SegmentBuilder();
    for (const row of rows.slice(0, 4)) builder.add(row);
    const segment = builder.finish();
    if (!segment) throw new Error("Nothing was packed.");
    let release = () => {};
    const held = new Promise<void>((settle) => (release = settle));
    await ana.page.route(/\/segments$/, (route) =>
      route.fulfill({
        contentType: "application/octet-stream",
        body: Buffer.from(framed(segment.bytes)),
      }),
    );
    await ana.page.route(reading, (route) => held.then(() => route.continue()));
    await openAt("?at=2");
    await ana.page.getByText(/The rest of the history is on its way/).waitFor();
    const reached = /edit ([\d ]+) of ([\d ]+)/;
    const [, , known = ""] = reached.exec((await sliderText(ana)) ?? "") ?? [];
    await revisionSlider(ana.page).press("Home");
    await expect.poll(() => sliderText(ana)).toMatch(/edit 1 of/);
    for (let times = 0; times < 5; times += 1) await revisionSlider(ana.page).press(">");
    await control("Play").click();
    const shown = () => ana.page.locator("#past-text").getAttribute("data-revision");
    await expect.poll(shown).toBe(`${Number(known.replaceAll(/\D/g, "")) - 1}`);
    // At the end of what has arrived it waits for more.
    await control("Pause").click();
    await revisionSlider(ana.page).press("Home");
    await revisionSlider(ana.page).press(".");
    await expect.poll(() => sliderText(ana)).toMatch(/edit 2 of/);
    release();
    await control("Restore this moment").waitFor();
    await expect.poll(() => sliderText(ana)).toMatch(/edit 2 of/);
    expect(
      Number(reached.exec((await sliderText(ana)) ?? "")?.[2]?.replaceAll(" ", "")),
    ).toBeGreaterThan(Number(known.replaceAll(" ", "")));
    await ana.page.unroute(reading);
    await ana.page.unroute(/\/segments$/);
  });

  it("[HISTORY-19] scrolls to the edit that plays, until the reader scrolls, and again on request", async () => {
    const { page } = ana;
    await page.setViewportSize({ width: 1280, height: 600 });
    await page.goto(path);
    await writable(page).waitFor();
    await newDocument(ana, "Long");
    await writable(page).click();
    await writable(page).evaluate((editor) => {
      const data = new DataTransfer();
      data.setData(
        "text/html",
        Array.from({ length: 60 }, (_, at) => `<p>Line ${at + 1}.</p>`).join(""),
      );
      editor.dispatchEvent(
        new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }),
      );
    });
    await text(page).getByText("Line 60.").waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.type(" And so on, for as long as it takes.", { delay: 100 });
    await saved(page);
    await page.getByRole("button", { name: "History" }).click();
    await revisionSlider(page).press("Home");
    const scrolled = () => page.locator("main:visible").evaluate((main) => main.scrollTop);
    await expect.poll(scrolled).toBeLessThan(200);
    for (let times = 0; times < 2; times += 1) await revisionSlider(page).press("<");
    await control("Play").click();
    // Hovering would scroll the page, which scrolls by itself.
    const main = await page.locator("main:visible").boundingBox();
    if (!main) throw new Error("no page");
    await page.mouse.move(main.x + main.width / 2, main.y + main.height / 2);
    await expect.poll(scrolled).toBeGreaterThan(400);
    await page.mouse.wheel(0, -20_000);
    const follow = page.getByRole("button", { name: "Follow edits" });
    await follow.waitFor();
    await expect.poll(scrolled).toBe(0);
    await follow.click();
    await expect.poll(scrolled).toBeGreaterThan(400);
    await follow.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it("[HISTORY-17] never takes back a page requested meanwhile", async () => {
    await ana.page.setViewportSize({ width: 1280, height: 800 });
    await ana.page.goto(`${path}?at=3`);
    await revisionSlider(ana.page).waitFor();
    let release = () => {};
    const held = new Promise<void>((settle) => (release = settle));
    const page = /\/d\/[^?]+\?_rsc=/;
    await ana.page.route(page, (route) => held.then(() => route.continue()));
    const asked = ana.page.waitForRequest(page);
    await ana.page.getByRole("button", { name: "New document" }).first().click();
    await asked;
    await revisionSlider(ana.page).press("Home");
    // Until the player has had time to write the revision into the address.
    await ana.page.evaluate(() => new Promise((settle) => setTimeout(settle, 400)));
    release();
    await ana.page.waitForURL((url) => url.pathname.startsWith("/d/") && url.pathname !== path);
    await writable(ana.page).waitFor();
  });

  /** The same behind an open dialog, which hides the page from screen readers. */
  const sliderBehind = () =>
    ana.page
      .getByRole("slider", { name: "Moment", includeHidden: true })
      .getAttribute("aria-valuetext");
  const naming = () => ana.page.getByRole("dialog", { name: "Name this version" });
  const named = async (name: string) => {
    const sent = ana.page.waitForRequest(
      (request) => request.postData()?.includes("version.named") ?? false,
    );
    await naming().getByRole("textbox", { name: "Name" }).fill(name);
    await ana.page.keyboard.press("Enter");
    const at = /"at\W+(\d+)/.exec((await sent).postData() ?? "")?.[1];
    await ana.page.getByText(`Named “${name}”`).first().waitFor();
    return Number(at);
  };

  it("[HISTORY-24] pauses for a dialog about the revision shown, and names that one", async () => {
    await ana.page.emulateMedia({ reducedMotion: "no-preference" });
    await openAt("?at=1&play=1&speed=0.25");
    await control("Pause").waitFor();
    await revisionSlider(ana.page).press("m");
    const onward = naming().getByRole("button", { name: /^Go to edit/ });
    await onward
      .or(naming().getByRole("textbox", { name: "Name" }))
      .first()
      .waitFor();
    const stopped = await sliderBehind();
    expect(stopped).not.toMatch(/edit ([\d ]+) of \1(,|$)/);
    if ((await onward.count()) > 0) await onward.click();
    else expect(await sliderBehind()).toBe(stopped);
    const at = await named("As it stopped");
    await control("Play").waitFor();
    await expect.poll(() => new URL(ana.page.url()).searchParams.get("at")).toBe(String(at));
    await ana.page.emulateMedia({ reducedMotion: "reduce" });
  });

  it("[ACT-8] names only the moment shown: inside a version it first goes to its end", async () => {
    const batch = (await recorded()).findLast(
      ({ update }) => update !== null && decodeEdits(update, 0).length > 2,
    );
    if (!batch) throw new Error("No edits were recorded together.");
    await openAt(`?at=${batch.version}&edit=0`);
    await control("Restore this moment").waitFor();
    const inside = await sliderText(ana);
    await control("Name this version").click();
    // Nothing can be named here, and nothing has moved.
    await naming().waitFor();
    expect(await naming().getByRole("textbox").count()).toBe(0);
    expect(await sliderBehind()).toBe(inside);
    expect(await barriers(ana.page)).toEqual([]);
    const onward = naming().getByRole("button", { name: /^Go to edit/ });
    const [, goal = "?"] = /Go to (edit [\d ]+)/.exec((await onward.textContent()) ?? "") ?? [];
    await onward.click();
    await naming().getByRole("textbox", { name: "Name" }).waitFor();
    const shown = (await sliderBehind()) ?? "";
    expect(shown).not.toBe(inside);
    expect(shown).toContain(goal);
    expect(await naming().textContent()).toContain(`(${goal})`);
    expect(await named("Inside")).toBe(batch.version);
    await openAt(`?at=${batch.version}`);
    await control("Restore this moment").waitFor();
    expect(((await sliderText(ana)) ?? "").split(" of ")[0]).toBe(shown.split(" of ")[0]);
  });

  it("[HISTORY-24] names the text as of the dialog's opening, despite later writing", async () => {
    await ana.page.goto(path);
    await writable(ana.page).waitFor();
    const ask = async () => {
      await ana.page.getByRole("button", { name: "More", exact: true }).click();
      await ana.page.getByRole("menuitem", { name: "Name this version…" }).click();
      await ana.page.getByRole("dialog", { name: "Name this version" }).waitFor();
    };
    await ask();
    await writable(ben.page).click();
    await ben.page.keyboard.type("Meanwhile. ");
    await saved(ben.page);
    await ana.page.getByText("Meanwhile.").waitFor();
    const before = await named("Before Ben");
    let nth = 0;
    // The results include his words and her name once the page has read them from the log.
    await expect
      .poll(async () => {
        nth += 1;
        await ask();
        return named(`With Ben ${nth}`);
      })
      .toBeGreaterThan(before + 1);
  });

  it("[ACT-14] previews a restore again after others have written, and waits for confirmation", async () => {
    await openAt("?at=1");
    await control(/^Restore/).click();
    const dialog = ana.page.getByRole("dialog", { name: "Restore this moment?" });
    await dialog.getByRole("button", { name: "Restore" }).waitFor();
    await writable(ben.page).click();
    await ben.page.keyboard.type("Unseen. ");
    await saved(ben.page);
    await dialog.getByRole("button", { name: "Restore" }).click();
    await dialog.getByRole("alert").filter({ hasText: "Nothing was changed yet" }).waitFor();
    await dialog.locator("del").filter({ hasText: "Unseen." }).waitFor();
    expect(await barriers(ana.page)).toEqual([]);
    expect(await text(ben.page).innerText()).toContain("Unseen.");
    await dialog.getByRole("button", { name: "Restore" }).click();
    await expect.poll(() => text(ben.page).innerText()).not.toContain("Unseen.");
  });
});
