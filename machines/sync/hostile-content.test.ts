import * as Y from "yjs";
import { describe, expect, it } from "vitest";
import { attacks } from "@/events/content/hostile-edits.fixture";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { fromLog, stream, type, world } from "./live-world.fixture";
import { status } from "./sync-status";

const wordsOf = ({ fragment }: { fragment: Y.XmlFragment }) =>
  fragment.toString().replace(/<[^>]*>/g, " ");

describe("a page that receives content outside the schema", () => {
  it.each([
    ["by broadcast and in the log", true, true],
    ["by broadcast alone", true, false],
    ["in the log alone", false, true],
  ])(
    "[ADMIT-14] does not show it when sent %s, and loses no other text",
    async (_, isBroadcast, logged) => {
      const { clock, backend, open } = world();
      const [ana, ben] = [open(backend.tab("ana", "1")), open(backend.tab("ben", "1"))];
      await clock.advance(1_000);
      type(ana, "Begun. ");
      await clock.advance(3_000);
      const channel = backend.tab("carol", "9").channels().subscribe(stream, {});
      const hers = new Y.Doc({ gc: false });
      hers.clientID = 666;
      const seen: string[] = [];
      for (const page of [ana, ben])
        page.doc.on("afterTransaction", () => seen.push(page.fragment.toString()));
      for (const { act } of attacks) {
        Y.applyUpdate(hers, Y.encodeStateAsUpdate(ben.doc));
        const updates: Uint8Array[] = [];
        const collect = (update: Uint8Array) => updates.push(update);
        hers.on("update", collect);
        hers.transact(() => act(hers));
        hers.off("update", collect);
        for (const update of updates) {
          if (isBroadcast)
            channel.send("y-supabase-update", { update: Buffer.from(update).toString("base64") });
          if (logged)
            backend.append("carol", stream, [
              {
                id: `evil ${seen.length} ${update.length}`,
                type: "document.edited",
                body: {},
                update: encodeEdits([{ update, time: 0 }]),
                clientIds: [666],
              },
            ]);
        }
        type(ana, "ana ", 7);
        type(ben, "ben ");
        await clock.advance(200);
      }
      await clock.advance(90_000);
      expect(
        seen.filter((text) =>
          /EVIL|callout|glow|hook|mood|javascript|1000000000|undefined/.test(text),
        ),
      ).toEqual([]);
      const log = fromLog(backend);
      expect(log.doc.getXmlFragment("default").toString()).toBe(ana.fragment.toString());
      expect(ben.fragment.toString()).toBe(ana.fragment.toString());
      for (const name of ["ana", "ben"])
        expect(wordsOf(ana).split(`${name} `)).toHaveLength(attacks.length + 1);
      expect(log.anomalies.filter(({ actorId }) => actorId !== "carol")).toEqual([]);
      expect(log.anomalies.length > 20).toBe(logged);
      for (const page of [ana, ben]) expect(status(page.sync.getSnapshot()).label).toBe("Saved");
    },
  );

  it(
    "[ADMIT-15] shows text that depends on a lost message once the log has " +
      "brought that, and not before",
    async () => {
      const { clock, backend, open } = world();
      const ben = open(backend.tab("ben", "1"));
      await clock.advance(1_000);
      const doc = new Y.Doc();
      doc.clientID = 77;
      const updates: Uint8Array[] = [];
      doc.on("update", (update: Uint8Array) => updates.push(update));
      const text = new Y.XmlText();
      doc.transact(() => {
        const paragraph = new Y.XmlElement("paragraph");
        doc.getXmlFragment("default").insert(0, [paragraph]);
        paragraph.insert(0, [text]);
      });
      text.insert(0, "One");
      text.insertEmbed(3, { image: "EVIL" });
      text.insert(4, "two");
      const channel = backend.tab("carol", "9").channels().subscribe(stream, {});
      await clock.advance(100);
      for (const update of updates.slice(1))
        channel.send("y-supabase-update", { update: Buffer.from(update).toString("base64") });
      await clock.advance(100);
      expect([ben.fragment.toString(), ben.doc.store.pendingStructs]).toEqual(["", null]);
      backend.append("carol", stream, [
        {
          id: "first",
          type: "document.edited",
          body: {},
          update: encodeEdits([{ update: updates[0] ?? new Uint8Array(), time: 0 }]),
          clientIds: [77],
        },
      ]);
      await clock.advance(2_000);
      expect(ben.fragment.toString()).toBe("<paragraph>Onetwo</paragraph>");
    },
  );
});
