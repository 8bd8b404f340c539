import { randomInt, randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, inject, it } from "vitest";
import * as Y from "yjs";
import { attacks } from "@/events/content/hostile-edits.fixture";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { bombs, hostileAddresses, hostileHtml, hostileWords } from "@/tests/security/corpus";
import { granted } from "@/tests/support/writers/workspaces";
import { bringIn } from "@/tests/support/writers/writers";
import {
  newDocument,
  person,
  publishableKey,
  saved,
  shownId,
  text,
  writable,
} from "../support/person";
import type { Person } from "../support/person";
import { sharedBrowser } from "../support/browser/shared-browser";

let browser: Browser;
let ana: Person;
let ben: Person;
let mallory: Person;
const errors: string[] = [];

beforeAll(async () => {
  browser = await sharedBrowser();
  [ana, ben, mallory] = await Promise.all([
    person(browser, "Ana"),
    person(browser, "Ben"),
    person(browser, "Mallory"),
  ]);
  for (const { page } of [ana, ben]) page.on("pageerror", (error) => errors.push(String(error)));
});

/** The letters on a page; others' carets stand between them and look like spaces. */
const wordsOf = async (page: Page) =>
  (await text(page).innerText()).replace(/[\s\u2060\ufeff]+/g, "");

describe("a person whose content no editor can produce", () => {
  it(
    "[ADMIT-11] [ADMIT-14] harms no reader, in the log or by broadcast: two people write on, " +
      "and the past opens",
    async () => {
      const path = await newDocument(ana, "Open to all");
      const id = shownId(ana.page);
      const { workspace } = ana;
      for (const guest of [ben, mallory]) await bringIn(ana, guest, workspace, "editor");
      await ben.page.goto(path);
      await writable(ana.page).click();
      await ana.page.keyboard.type("Begun. ");
      await saved(ana.page);
      await text(ben.page).getByText("Begun.").waitFor();
      // Its letters may be one event or several.
      const begun = (await supabaseStore(ana.client).read(id, 0)).at(-1)?.version ?? 0;
      // Mallory uses a program of her own, with her keys and the name of the document's channel.
      const authorization = `Bearer ${await mallory.accessToken()}`;
      const headers = { apikey: await publishableKey(), authorization };
      const topic = await supabaseStore(mallory.client).topic(id);
      const rpc = async (name: string, data: unknown) =>
        (await mallory.page.request.post(`/rest/v1/rpc/${name}`, { headers, data })).json();
      const hers = new Y.Doc({ gc: false });
      hers.clientID = randomInt(1, 2 ** 31);
      const read = async () => {
        const rows: { update: string | null }[] = await rpc("read_events", {
          stream: id,
          after_version: 0,
          max_count: 1000,
        });
        for (const { update } of rows)
          for (const edit of update === null ? [] : decodeEdits(Buffer.from(update, "base64"), 0))
            Y.applyUpdate(hers, edit.update);
      };
      await read();
      for (const { act } of attacks) {
        const updates: Uint8Array[] = [];
        const collect = (update: Uint8Array) => updates.push(update);
        hers.on("update", collect);
        hers.transact(() => act(hers));
        hers.off("update", collect);
        for (const update of updates) {
          const message = {
            topic,
            event: "y-supabase-update",
            private: true,
            payload: {
              update: Buffer.from(update).toString("base64"),
              user: { id: "x" },
              timestamp: 1,
            },
          };
          const answer = await mallory.page.request.post("/realtime/v1/api/broadcast", {
            headers,
            data: { messages: [message] },
          });
          expect(answer.status(), await answer.text()).toBe(202);
          const event = {
            id: randomUUID(),
            type: "document.edited",
            body: "{}",
            schema: 1,
            clientIds: [hers.clientID],
            update: Buffer.from(encodeEdits([{ update, time: Date.now() }])).toString("base64"),
          };
          await rpc("append_events", { stream: id, expected_version: null, events: [event] });
        }
        await ana.page.keyboard.type("a");
        await writable(ben.page).getByText("Begun.").click();
        await ben.page.keyboard.press("Control+End");
        await ben.page.keyboard.type("b");
      }
      for (const { page } of [ana, ben]) {
        await saved(page);
        await expect
          .poll(async () => (await text(page).innerText()).replace(/[^ab]/g, "").length)
          .toBeGreaterThanOrEqual(2 * attacks.length);
        expect(await writable(page).count()).toBe(1);
        expect(await page.getByText(/read-only/).count()).toBe(0);
      }
      await expect
        .poll(async () => (await wordsOf(ana.page)) === (await wordsOf(ben.page)))
        .toBe(true);
      const shown = await wordsOf(ana.page);
      expect(shown).not.toMatch(/EVIL/);

      await ana.page.reload();
      await writable(ana.page).waitFor();
      await expect.poll(() => wordsOf(ana.page)).toBe(shown);
      for (const later of [0, 8, 16]) {
        await ben.page.goto(`${path}?at=${begun + later}`);
        await ben.page.getByRole("slider", { name: "Moment" }).waitFor();
        await expect
          .poll(() => ben.page.getByRole("region", { name: "Document at this moment" }).innerText())
          .toContain("Begun.");
      }
      expect(await (await ana.page.request.get(path)).text()).not.toContain("EVIL");
      await ben.page.goto(path);
      await writable(ben.page).waitFor();
      await ben.page.getByRole("button", { name: "More", exact: true }).first().click();
      await ben.page.getByRole("menuitem", { name: "Verify history…" }).click();
      await ben.page
        .getByRole("dialog", { name: "Verify history" })
        .getByText("This history is as it was recorded.")
        .waitFor();
      expect(errors).toEqual([]);
    },
  );
});

/**
 * Chromium's CSP reports for pasted HTML: it also checks the policy where nothing can run, in the
 * windowless document in which the editor parses it.
 */
const inert = /^policy: (script-src-attr inline|base-uri https:\/\/evil\.invalid\/)$/;

/** Collects everything that a person's page does and words alone must not cause. */
async function watched({ context, page }: Person): Promise<string[]> {
  const faults: string[] = [];
  const origin = inject("url");
  await context.exposeFunction("reportFault", (what: string) => void faults.push(what));
  await context.addInitScript(() => {
    // Exposed to the page above.
    const { reportFault } = window as unknown as { reportFault(what: string): Promise<void> };
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      void reportFault(`policy: ${violatedDirective} ${blockedURI}`);
    });
    Object.defineProperty(window, "__pwned", {
      set: () => void reportFault(`script: ${new Error().stack}`),
    });
  });
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !/^(data|blob|ws):/.test(url)) faults.push(`request: ${url}`);
  });
  return faults;
}

/** Fills a workspace with hostile words wherever people write; returns a document in it. */
async function filled(who: Person): Promise<string> {
  const store = supabaseStore(who.client);
  const words = Object.values(hostileWords);
  const short = (index: number, most: number) =>
    [...(words[index % words.length] ?? "")].slice(0, most).join("");
  const event = (type: string, body: object, kind?: string) => ({
    id: randomUUID(),
    type,
    body,
    ...(kind !== undefined && { subject: { kind, id: randomUUID() } }),
  });
  const append = async (stream: string, expected: number | null, events: object[]) =>
    granted(await store.append(stream, expected, events as Parameters<typeof store.append>[2]));
  await append(who.workspace, null, [event("workspace.renamed", { name: short(0, 120) })]);
  await append(who.user.id, null, [
    event("account.profile_changed", { name: short(1, 80), color: null }),
  ]);
  const [document = ""] = await Promise.all(
    words.map(async (title) => {
      const id = randomUUID();
      await append(id, 0, [
        event("document.created", {
          workspaceId: who.workspace,
          title: [...title].slice(0, 300).join(""),
        }),
      ]);
      return id;
    }),
  );
  const doc = new Y.Doc();
  const lines = [...words, ...hostileHtml.map((html) => html.slice(0, 2_000))];
  const block = (name: string, text: Y.XmlText) => {
    const made = new Y.XmlElement(name);
    made.insert(0, [text]);
    return made;
  };
  const linked = (href: string) => {
    const text = new Y.XmlText();
    text.applyDelta([{ insert: "link", attributes: { link: { href } } }]);
    return text;
  };
  const updates: Uint8Array[] = [];
  doc.on("update", (update: Uint8Array) => updates.push(update));
  const part = (blocks: Y.XmlElement[]) => doc.getXmlFragment("default").push(blocks);
  part(lines.flatMap((line) => [block("paragraph", new Y.XmlText(line))]));
  part(words.map((line) => block("codeBlock", new Y.XmlText(line))));
  for (const href of hostileAddresses) part([block("paragraph", linked(href))]);
  const edits = updates.map((update, index) => ({
    ...event("document.edited", {}),
    schema: 1,
    clientIds: index === 0 ? [doc.clientID] : [],
    update: encodeEdits([{ update, time: 0 }]),
  }));
  await append(document, null, edits);
  const threads = words.slice(0, 30).map((text) => ({ text, thread: randomUUID() }));
  await append(
    document,
    null,
    threads.flatMap(({ text, thread }, index) => [
      {
        ...event("thread.opened", { start: "AA==", end: "AA==", quote: text }),
        subject: { kind: "thread", id: thread },
      },
      event("comment.added", { thread, text }, "comment"),
      event("version.named", { at: 1, name: short(index, 120) }, "version"),
    ]),
  );
  return document;
}

describe("hostile input", () => {
  it("[HOSTILE-5] runs on no page, requests no other origin and freezes no page", async () => {
    const document = await filled(mallory);
    await bringIn(mallory, ben, mallory.workspace, "editor");
    const faults = await watched(ben);
    const { page } = ben;
    for (const path of ["", "/members", "/activity", "/trash"]) {
      await page.goto(`/w/${mallory.workspace}${path}`);
      await page.getByRole("main").waitFor();
    }
    await page.goto(`/d/${document}?at=3`);
    await page.getByRole("slider", { name: "Moment" }).waitFor();
    await page.goto(`/d/${document}`);
    await writable(page).click();
    expect(await text(page).locator('a[href^="javascript" i], a[href^="data" i]').count()).toBe(0);
    await page.keyboard.press("Control+End");
    const given = [
      ...hostileHtml.map((html) => ({ "text/html": html, "text/plain": "x" })),
      ...[...Object.values(hostileWords), bombs.brackets ?? "", bombs.stars ?? ""].map((words) => ({
        "text/plain": words,
      })),
    ];
    expect(faults).toEqual([]);
    await newDocument(ben);
    await writable(page).click();
    await writable(page).evaluate((element, pastes) => {
      for (const paste of pastes) {
        const clipboardData = new DataTransfer();
        for (const [kind, content] of Object.entries(paste)) clipboardData.setData(kind, content);
        element.dispatchEvent(
          new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
        );
      }
    }, given);
    await saved(page);
    expect(
      await text(page)
        .locator("script, iframe, object, embed, svg, img, form, style, [onclick], [onerror]")
        .count(),
    ).toBe(0);
    await page.reload();
    await writable(page).click();
    await page.keyboard.press("Control+Home");
    await page.keyboard.type("Written on.");
    await saved(page);
    await text(page).getByText("Written on.").waitFor();
    expect(faults.filter((fault) => !inert.test(fault))).toEqual([]);
  });
});
