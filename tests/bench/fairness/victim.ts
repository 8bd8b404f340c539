import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { RealtimeChannel } from "@supabase/supabase-js";
import * as Y from "yjs";
import { schemaVersion } from "@/events/content/schema";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { supabaseStore } from "@/events/log/store";
import { pageAs } from "@/tests/support/writers/pages";
import { signInAgain } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import type { Stack } from "@/tests/support/product/stack";

export const deeds = ["append", "broadcast", "read", "page", "sign in"] as const;
export type Deed = (typeof deeds)[number];
/**
 * The duration of each action, in ms. `unanswered` counts actions that failed or took longer than
 * 20 s.
 */
export type Times = Record<Deed, number[]> & { unanswered: number };

const longest = 20_000;

async function joined(person: Person, topic: string): Promise<RealtimeChannel> {
  const channel = person.client.channel(topic, {
    config: { private: true, broadcast: { ack: true } },
  });
  await new Promise<void>((settle, reject) =>
    channel.subscribe((state, error) => {
      if (state === "SUBSCRIBED") settle();
      else if (error) reject(error);
    }),
  );
  return channel;
}

/** Measures a person who types, reads and signs in as people do. */
export async function victim(
  stack: Stack,
  ana: Person,
  document: string,
  sleepers: readonly Person[],
) {
  const store = supabaseStore(ana.client);
  const topic = await store.topic(document);
  if (topic === null) throw new Error("The document has no topic.");
  const channel = await joined(ana, topic);
  const asAna = await pageAs(ana);
  const doc = new Y.Doc();
  const text = new Y.XmlText();
  const paragraph = new Y.XmlElement("paragraph");
  paragraph.insert(0, [text]);
  let version = 0;
  let signedIn = 0;
  let isKnown = false;

  const edit = () => {
    const updates: Uint8Array[] = [];
    const collect = (update: Uint8Array) => updates.push(update);
    doc.on("update", collect);
    if (isKnown) text.insert(text.length, "a");
    else doc.getXmlFragment("default").push([paragraph]);
    doc.off("update", collect);
    const clientIds = isKnown ? [] : [doc.clientID];
    isKnown = true;
    const now = new Date();
    return {
      id: randomUUID(),
      type: "document.edited",
      body: {},
      schema: schemaVersion,
      clientIds,
      update: encodeEdits(updates.map((update) => ({ update, time: now.getTime() }))),
      clientTime: now.toISOString(),
    };
  };
  const acts: Record<Deed, () => Promise<boolean>> = {
    append: async () => (await store.append(document, null, [edit()])).ok,
    broadcast: async () => {
      // Without its socket the client would send the message over HTTP, which is a different call.
      if (channel.state !== "joined") return false;
      const message = { type: "broadcast", event: "typed", payload: { letter: "a" } } as const;
      return (await channel.send(message)) === "ok";
    },
    read: async () => {
      const events = await store.read(document, version);
      version += events.length;
      return true;
    },
    page: async () => {
      const answer = await asAna(`${stack.url}/d/${document}`);
      await answer.arrayBuffer();
      return answer.ok;
    },
    "sign in": async () => {
      const sleeper = sleepers[signedIn++ % sleepers.length];
      if (sleeper) await signInAgain(stack, sleeper);
      return sleeper !== undefined;
    },
  };
  const pauses: Record<Deed, number> = {
    append: 300,
    broadcast: 100,
    read: 500,
    page: 2_000,
    "sign in": 1_000,
  };

  return {
    async live(milliseconds: number): Promise<Times> {
      const times: Times = {
        append: [],
        broadcast: [],
        read: [],
        page: [],
        "sign in": [],
        unanswered: 0,
      };
      const end = performance.now() + milliseconds;
      const repeat = async (deed: Deed) => {
        while (performance.now() < end) {
          const begun = performance.now();
          const late = delay(longest, false, { ref: false });
          const isDone = await Promise.race([acts[deed]().catch(() => false), late]);
          if (isDone) times[deed].push(performance.now() - begun);
          else times.unanswered += 1;
          await delay(pauses[deed]);
        }
      };
      await Promise.all(deeds.map(repeat));
      return times;
    },
    leave: () => ana.client.removeAllChannels(),
  };
}
