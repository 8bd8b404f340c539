import type { Channels } from "@/events/realtime/channel";
import type { Clock } from "@/events/core/clock";
import { withDeadline } from "@/events/device/deadline";
import type { Outbox } from "@/events/device/outbox";
import type { TabLocks } from "@/events/device/tab-locks";
import type { LiveDocument, LiveDocumentInput } from "./live-document";
import { openDocument } from "./open-document";

/** Time limit per document, in ms; edits not sent by then stay for the next flush. */
const patience = 60_000;

type FlushInput = Pick<
  LiveDocumentInput,
  "userId" | "store" | "clock" | "random" | "schemaVersion"
> & {
  outbox: Outbox;
  locks: TabLocks;
};

/** A flush uses no channel: it neither listens nor is present. */
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
 * Sends what closed tabs of this person have left, under the same rules as an open document; one
 * tab at a time does it. Returns the documents with edits that cannot be saved; edits that merely
 * could not be sent yet stay on the device.
 */
export async function flushOutbox(input: FlushInput): Promise<string[]> {
  // Without locks, leftovers cannot be told apart from what another tab is about to send.
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
    // The machine stops when another tab shows the document and takes everything over.
    const { unsubscribe } = live.sync.subscribe({ next: look, complete: () => settle("unsent") });
    const cancel = clock.after(patience, () => settle("unsent"));
    look(live.sync.getSnapshot());
  });
}
