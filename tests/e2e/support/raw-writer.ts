import { expect, inject } from "vitest";
import * as Y from "yjs";
import { createChannels } from "@/events/realtime/channel-hub";
import { writersOf } from "@/events/realtime/presence-list";
import { realtimeTransport } from "@/events/realtime/realtime-transport";
import { systemClock, systemRandom } from "@/events/core/clock";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { signInAgain } from "@/tests/support/writers/people";
import { publishableKey } from "./person";
import type { Person } from "./person";

/**
 * Creates a custom client, signed in as a person who has a window. The client broadcasts and writes
 * data that none of our pages would, and sees who writes.
 */
export async function rawWriter(who: Person, documentId: string) {
  const keys = { publishableKey: await publishableKey() };
  const { client } = await signInAgain({ url: inject("url"), keys }, who);
  const store = supabaseStore(client);
  const channels = createChannels({
    transport: realtimeTransport(client, `raw:${systemRandom.uuid()}`),
    topic: store.topic,
    clock: systemClock,
    random: systemRandom,
  });
  let clients: ReadonlySet<number> = new Set();
  const channel = channels.subscribe(documentId, {
    presence: (entries) => (clients = writersOf(entries).clients),
  });
  await expect.poll(() => channel.state()).toBe("joined");
  return {
    store,
    /** Returns the Yjs client ids under which pages write now. */
    clients: () => [...clients],
    /**
     * Broadcasts letters at the end of the first paragraph like a client about to log them. Returns
     * a function that leaves without logging.
     */
    async broadcastUnlogged(words: string) {
      const fold = new ConfirmedDocument(null);
      for (const row of await store.read(documentId, 0)) fold.integrate(row);
      const paragraph = fold.doc.getXmlFragment("default").get(0);
      const textblock = paragraph instanceof Y.XmlElement ? paragraph.get(0) : null;
      if (!(textblock instanceof Y.XmlText)) throw new Error("there is no line yet");
      const before = Y.encodeStateVector(fold.doc);
      fold.doc.clientID = systemRandom.clientId();
      const claim = (clients: number[]) =>
        channel.track({ userId: who.email, documentId, state: "active", clients });
      claim([fold.doc.clientID]);
      textblock.insert(textblock.length, words);
      const update = Buffer.from(Y.encodeStateAsUpdate(fold.doc, before)).toString("base64");
      channel.send("y-supabase-update", { update, user: { id: "raw" } });
      return () => claim([]);
    },
    async close() {
      await channels.close();
      await client.realtime.disconnect();
    },
  };
}
