import { randomUUID } from "node:crypto";
import type { Transport } from "@/events/realtime/channel";
import { createChannels } from "@/events/realtime/channel-hub";
import { systemClock, systemRandom } from "@/events/core/clock";
import { memoryOutbox } from "@/events/device/outbox";
import { realtimeTransport } from "@/events/realtime/realtime-transport";
import { supabaseStore } from "@/events/log/store";
import type { RawStore } from "@/events/log/store";
import type { LiveDocument } from "@/machines/sync/live-document";
import { openDocument } from "@/machines/sync/open-document";
import type { Person } from "./people";
import { granted, newToken } from "./workspaces";

/** A person with an open document, as in a tab. `replaced` counts the rebuilds of the page. */
export type Writer = { person: Person; store: RawStore; live: LiveDocument; replaced: number };

/**
 * Opens a document for a signed-in person, one document at a time per client, since a client has
 * one channel per topic. `heard` observes the messages, and `store` can wrap the log.
 */
export function write(
  person: Person,
  documentId: string,
  more: {
    messageLimit?: number;
    heard?: (transport: Transport) => Transport;
    store?: (store: RawStore) => RawStore;
  } = {},
): Writer {
  const own = supabaseStore(person.client);
  const store = more.store?.(own) ?? own;
  const transport = realtimeTransport(person.client, `${person.user.id}:${systemRandom.uuid()}`);
  const live = openDocument({
    documentId,
    userId: person.user.id,
    store,
    channels: createChannels({
      transport: more.heard?.(transport) ?? transport,
      topic: store.topic,
      clock: systemClock,
      random: systemRandom,
    }),
    outbox: memoryOutbox(),
    clock: systemClock,
    random: systemRandom,
    schemaVersion: 1,
    messageLimit: more.messageLimit ?? null,
  });
  const writer: Writer = { person, store, live, replaced: 0 };
  live.onReplaced(() => (writer.replaced += 1));
  return writer;
}

/**
 * Creates a workspace with a document. The first person owns the workspace, and the others join
 * through a link. Returns the document's id.
 */
export async function meet(people: Person[]): Promise<string> {
  const [owner, ...others] = people;
  if (!owner) throw new Error("At least one person is required");
  const [workspaceId, documentId] = [randomUUID(), randomUUID()];
  const store = supabaseStore(owner.client);
  const append = async (...args: Parameters<RawStore["append"]>) =>
    granted(await store.append(...args));
  await append(workspaceId, 0, [
    { id: randomUUID(), type: "workspace.created", body: { name: "Clown school" } },
  ]);
  await append(documentId, 0, [
    { id: randomUUID(), type: "document.created", body: { workspaceId, title: "Clowns" } },
  ]);
  for (const other of others) await bringIn(owner, other, workspaceId, "editor");
  return documentId;
}

/** Adds a person to another's workspace through an invitation link. */
export async function bringIn(
  host: Pick<Person, "client">,
  guest: Pick<Person, "client">,
  workspaceId: string,
  role: "editor" | "commenter" | "viewer",
): Promise<void> {
  const { token, tokenHash } = newToken();
  const invitation = randomUUID();
  const body = { kind: "link", email: null, role, expiresAt: null, tokenHash };
  const subject = { kind: "invitation", id: invitation };
  granted(
    await supabaseStore(host.client).append(workspaceId, null, [
      { id: randomUUID(), type: "invitation.created", subject, body },
    ]),
  );
  const { error } = await guest.client.rpc("accept_invitation", { invitation, token });
  if (error) throw error;
}
