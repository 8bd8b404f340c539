import { write } from "./writers";
import type { Writer } from "./writers";
import { visitor } from "./people";
import type { Person } from "./people";
import { status } from "@/machines/sync/sync-status";
import { setTimeout as delay } from "node:timers/promises";

/** Opens `size` tabs of a few people, each with its own client, socket and document. */
export async function openCrowd(
  stack: Parameters<typeof visitor>[0],
  people: readonly Person[],
  documentId: string,
  size: number,
): Promise<Writer[]> {
  const sessions = await Promise.all(
    people.map(async ({ client }) => (await client.auth.getSession()).data.session),
  );
  // All tabs sign in before the first document opens, which keeps this process busy.
  const signedIn: Person[] = [];
  for (let at = 0; at < size; at += 1) {
    const [person, session] = [people[at % people.length], sessions[at % people.length]];
    if (!person || !session) throw new Error("No person is signed in");
    const client = visitor(stack);
    const { error } = await client.auth.setSession(session);
    if (error) throw error;
    signedIn.push({ ...person, client });
  }
  const tabs = signedIn.map((person) => write(person, documentId));
  await Promise.all(tabs.map(({ live }) => live.loaded));
  return tabs;
}

/** Waits until all tabs are live and have read and saved everything; throws after `most` ms. */
export async function isTogether(tabs: readonly Writer[], most: number): Promise<void> {
  const end = performance.now() + most;
  const isLive = ({ live }: Writer) => {
    const snapshot = live.sync.getSnapshot();
    return snapshot.value.link === "live" && status(snapshot).label === "Saved";
  };
  const newest = () => Math.max(...tabs.map(({ live }) => live.version));
  while (!tabs.every((tab) => isLive(tab) && tab.live.version === newest())) {
    if (performance.now() > end)
      throw new Error(`${tabs.filter(isLive).length} of ${tabs.length} are back.`);
    await delay(50);
  }
}
