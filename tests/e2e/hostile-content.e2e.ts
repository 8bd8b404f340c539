import { randomInt, randomUUID } from "node:crypto";
import type { Browser, Page } from "playwright";
import { beforeAll, describe, expect, it } from "vitest";
import * as Y from "yjs";
import { attacks } from "@/events/content/hostile-edits.fixture";
import { decodeEdits, encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { bringIn } from "@/tests/support/writers";
import {
  newDocument,
  type Person,
  person,
  publishableKey,
  saved,
  shownId,
  text,
  writable,
} from "./support/person";
import { sharedBrowser } from "./support/shared-browser";

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

/** The letters on a page; carets of others stand between them and look like spaces. */
const wordsOf = async (page: Page) =>
  (await text(page).innerText()).replace(/[\s\u2060\ufeff]+/g, "");

describe("somebody who writes what no editor could", () => {
  it(
    "[ADMIT-11] [ADMIT-14] in the log and by broadcast harms nobody: two people write " +
      "on, and the past opens",
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
      // Mallory has a program of her own: her keys, and the name of the document's channel.
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
      for (const at of ["4", "12", "20"]) {
        await ben.page.goto(`${path}?at=${at}`);
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
