import type { Browser } from "playwright";
import { randomUUID } from "node:crypto";
import * as Y from "yjs";
import { beforeAll, describe, expect, it } from "vitest";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, saveStatus, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { rawWriter } from "../support/raw-writer";
import { onceMore } from "../support/request";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;

beforeAll(async () => {
  browser = await sharedBrowser();
  [ana, ben] = [await person(browser, "Ana"), await person(browser, "Ben")];
  const { workspace } = ana;
  await bringIn(ana, ben, workspace, "editor");
});

const appends = "**/rest/v1/rpc/append_events";
const reads = "**/rest/v1/rpc/read_events";

/** The words of the text alone: a remote caret contains its owner's name. */
const shown = (who: Person) =>
  text(who.page).evaluate((element) => {
    const copy = element.cloneNode(true) as HTMLElement;
    for (const caret of copy.querySelectorAll(".caret")) caret.remove();
    return [...copy.children].map((block) => block.textContent).join("\n");
  });

type Raw = Awaited<ReturnType<typeof rawWriter>>;

/** The text according to the log, whatever pages show. */
async function logged(raw: Raw, documentId: string): Promise<string> {
  const fold = new ConfirmedDocument(null);
  for (const row of await raw.store.read(documentId, 0)) fold.integrate(row);
  expect(fold.anomalies).toEqual([]);
  return fold.doc
    .getXmlFragment("default")
    .toArray()
    .map((block) => (block instanceof Y.XmlElement ? block.toArray().join("") : ""))
    .join("\n");
}

/** A document with Ana on a raw client, and Ben's caret after the words that he has written. */
async function meeting(begun: string) {
  await ana.page.goto("/");
  const path = await newDocument(ana);
  const documentId = path.slice("/d/".length);
  const raw = await rawWriter(ana, documentId);
  await ana.page.goto("/");
  await ben.page.goto(path);
  await writable(ben.page).click();
  await ben.page.keyboard.type(begun);
  await saved(ben.page);
  await expect.poll(() => raw.clients()).toHaveLength(1);
  await ben.page.evaluate(() => Object.assign(window, { field: document.activeElement }));
  return { path, documentId, raw, own: raw.clients()[0] ?? 0 };
}

/**
 * Types words without a pause until the page writes under another client id, and some more; returns
 * the typed text.
 */
async function typeThrough({ raw }: { raw: Raw }, most = 2_000): Promise<string> {
  const known = new Set(raw.clients());
  let typed = "";
  for (let word = 0, after = 0; after < 25; word += 1) {
    if (word > most) throw new Error("The page was never rebuilt");
    const next = ` w${word}`;
    await ben.page.keyboard.type(next);
    typed += next;
    if (raw.clients().some((client) => !known.has(client))) after += 1;
  }
  return typed;
}

/** Takes a page's client id before the log has bound it. */
async function take(raw: Raw, documentId: string, clientId: number): Promise<void> {
  const doc = new Y.Doc();
  doc.clientID = clientId;
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [new Y.XmlText("Taken.")]);
  doc.getXmlFragment("default").insert(0, [paragraph]);
  const update = encodeEdits([{ update: Y.encodeStateAsUpdate(doc), time: Date.now() }]);
  const answer = await raw.store.append(documentId, null, [
    {
      id: randomUUID(),
      type: "document.edited",
      body: {},
      update,
      clientIds: [clientId],
      schema: 1,
    },
  ]);
  expect(answer).toMatchObject({ ok: true });
}

/**
 * Broadcasts text of Ana's after Ben's words that never reaches the log; returns how she leaves.
 */
async function unloggedText({ raw }: { raw: Raw }): Promise<() => void> {
  const leave = await raw.broadcastUnlogged(" Unlogged.");
  await text(ben.page).getByText("Begun. Unlogged.").waitFor();
  return leave;
}

const typedThrough: [
  name: string,
  begun: string,
  during: (at: { documentId: string; path: string; raw: Raw; own: number }) => Promise<string>,
][] = [
  [
    "edits that hang on text whose author has left",
    "Begun.",
    async (at) => {
      const leave = await unloggedText(at);
      await ben.page.keyboard.press("Control+End");
      const typing = typeThrough(at);
      leave();
      return typing;
    },
  ],
  [
    "a client id that somebody else has taken",
    "",
    async (at) => {
      // The first one in the log has the id.
      let release = () => {};
      const taken = new Promise<void>((resolve) => (release = resolve));
      await ben.page.route(appends, async (route) => {
        await taken;
        await route.continue();
      });
      const typing = typeThrough(at);
      await take(at.raw, at.documentId, at.own);
      release();
      const typed = await typing;
      await ben.page.unrouteAll({ behavior: "wait" });
      return typed;
    },
  ],
  [
    "a log that an older one was put in the place of",
    "Begun.",
    async (at) => {
      let broken = true;
      await ben.page.route(appends, (route) =>
        broken ? ((broken = false), route.abort()) : route.continue(),
      );
      await ben.page.route(reads, async (route) => {
        const response = await route.fetch(onceMore);
        const rows: { hash: string }[] = await response.json();
        await route.fulfill({
          response,
          json: rows.map((row) => ({ ...row, hash: row.hash.replaceAll("0", "f") })),
        });
      });
      const typing = await typeThrough(at);
      await ben.page.unrouteAll({ behavior: "wait" });
      return typing;
    },
  ],
];

describe("a page that is rebuilt while a person types", () => {
  it.each(typedThrough)(
    "[WRITE-20] [SYNC-30] keeps every letter in the text and in the log through %s",
    { timeout: 240_000 },
    async (_name, begun, during) => {
      const at = await meeting(begun);
      const typed = await during(at);
      await expect.poll(() => shown(ben)).toContain(typed);
      expect(
        await ben.page.evaluate(() =>
          Object.is(Reflect.get(window, "field"), document.activeElement),
        ),
      ).toBe(true);
      await ben.page.keyboard.type(" And on.");
      await expect
        .poll(() => logged(at.raw, at.documentId), { timeout: 60_000 })
        .toContain(`${typed} And on.`);
      await expect.poll(() => saveStatus(ben.page).innerText()).toContain("Saved");
      expect((await shown(ben)).match(/ w\d+/g)?.join("")).toBe(typed);
      await at.raw.close();
    },
  );

  it(
    "[WRITE-20] [WRITE-21] keeps the editor, its focus, its selection and its undo steps",
    { timeout: 240_000 },
    async () => {
      const at = await meeting("Begun.");
      const leave = await unloggedText(at);
      const { keyboard } = ben.page;
      await keyboard.press("Control+End");
      await keyboard.type(" Mine and more.");
      for (let letter = 0; letter < "more.".length; letter += 1)
        await keyboard.press("Shift+ArrowLeft");
      leave();
      await expect.poll(() => shown(ben), { timeout: 60_000 }).toBe("Begun. Mine and more.");
      expect(
        await ben.page.evaluate(() =>
          Object.is(Reflect.get(window, "field"), document.activeElement),
        ),
      ).toBe(true);
      expect(await ben.page.evaluate(() => getSelection()?.toString())).toBe("more.");
      await keyboard.type("less.");
      await expect.poll(() => shown(ben)).toBe("Begun. Mine and less.");
      await keyboard.press("Control+z");
      await expect.poll(() => shown(ben)).toContain("more.");
      while ((await shown(ben)).includes("Mine")) await keyboard.press("Control+z");
      expect(await shown(ben)).not.toContain("Unlogged");
      await keyboard.press("Control+Shift+z");
      await expect.poll(() => shown(ben)).toContain("Mine");
      await expect
        .poll(async () => (await logged(at.raw, at.documentId)) === (await shown(ben)))
        .toBe(true);
      await at.raw.close();
    },
  );

  it("[WRITE-22] waits for a composition, and loses none of it", { timeout: 240_000 }, async () => {
    const at = await meeting("Begun.");
    const leave = await unloggedText(at);
    await ben.page.keyboard.press("Control+End");
    await ben.page.keyboard.type(" Mine. ");
    const keyboard = await ben.context.newCDPSession(ben.page);
    await keyboard.send("Input.imeSetComposition", {
      text: "に",
      selectionStart: 1,
      selectionEnd: 1,
    });
    leave();
    let composed = "に";
    // Longer than others are waited for: the page keeps being asked for its state.
    for (let look = 0; look < 40; look += 1) {
      composed = `に${"ほ".repeat(1 + (look % 3))}`;
      await keyboard.send("Input.imeSetComposition", {
        text: composed,
        selectionStart: composed.length,
        selectionEnd: composed.length,
      });
      await at.raw.store.read(at.documentId, 0);
      await ben.page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
      expect(await shown(ben)).toContain(`Mine. ${composed}`);
      expect(at.raw.clients()).toContain(at.own);
    }
    await keyboard.send("Input.insertText", { text: "日本" });
    await ben.page.keyboard.type(" and on");
    await expect.poll(() => shown(ben), { timeout: 60_000 }).toBe("Begun. Mine. 日本 and on");
    expect(
      await ben.page.evaluate(() =>
        Object.is(Reflect.get(window, "field"), document.activeElement),
      ),
    ).toBe(true);
    await ben.page.keyboard.type(".");
    await expect.poll(() => logged(at.raw, at.documentId)).toBe("Begun. Mine. 日本 and on.");
    await at.raw.close();
  });
});
