import type { Channels } from "@/events/realtime/channel";
import type { Clock } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import type { Outbox } from "@/events/device/outbox";
import type { TabLocks } from "@/events/device/tab-locks";
import type { LiveDocument, LiveDocumentInput } from "./live-document";
import { openDocument } from "./open-document";

/** The time limit per document, in ms. Edits that are not sent by then wait for the next flush. */
const patience = 60_000;

type FlushInput = Pick<
  LiveDocumentInput,
  "userId" | "store" | "clock" | "random" | "schemaVersion"
> & {
  outbox: Outbox;
  locks: TabLocks;
};

/** A flush subscribes to no channel and is not present on one. */
const noChannels: Channels = {
  subscribe: () => ({
    state: () => "waiting",
    send: () => false,
    track: () => {},
    limitHits: () => 0,
    epoch: () => null,
    close: () => {},
  }),
  wake: () => {},
  close: () => Promise.resolve(),
};

/**
 * Sends the leftovers of this person's closed tabs, under the same rules as an open document. One
 * tab at a time does so. Returns the documents with edits that cannot be saved. Edits that could
 * not be sent yet stay on the device and are not reported.
 */
export async function flushOutbox(input: FlushInput): Promise<string[]> {
  // Without locks, leftovers cannot be distinguished from edits that another tab is about to send.
  const release = await withDeadline(
    input.clock,
    input.locks.hold(`palimpsest-sweep/${input.userId}`),
  ).catch(() => null);
  if (!release) return [];
  const refused: string[] = [];
  try {
    for (const documentId of await input.outbox.documents(input.userId).catch(() => [])) {
      const live = openDocument({ ...input, documentId, channels: noChannels, yields: true });
      await live.hasTakenOver;
      if ((await outcome(live, input.clock)) === "refused") refused.push(documentId);
      await live.close();
    }
  } finally {
    release();
  }
  return refused;
}

function outcome(live: LiveDocument, clock: Clock): Promise<"sent" | "refused" | "unsent"> {
  return new Promise((resolve) => {
    const settle = (how: "sent" | "refused" | "unsent") => {
      unsubscribe();
      cancel();
      resolve(how);
    };
    const look = ({ value, context }: ReturnType<typeof live.sync.getSnapshot>) => {
      if (context.pending === 0) settle(context.unreadable > 0 ? "refused" : "sent");
      else if (value.session === "ended") settle("unsent");
      else if (value.outbox === "refused" || context.pending === context.orphaned)
        settle("refused");
    };
    // The machine stops when another tab shows the document and takes over all of its edits.
    const { unsubscribe } = live.sync.subscribe({ next: look, complete: () => settle("unsent") });
    const cancel = clock.after(patience, () => settle("unsent"));
    look(live.sync.getSnapshot());
  });
}
