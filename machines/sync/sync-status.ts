import type { SnapshotFrom } from "xstate";
import { sentence } from "@/events/log/refusal";
import type { syncMachine } from "./status/sync";
import type { Trouble } from "./status/sync-events";

export type SyncStatus = {
  label:
    "Saved" | "Saving…" | "Offline" | "Not connected" | "Signed out" | "No access" | "Not saved";
  tone: "calm" | "busy" | "warning" | "problem";
  sentence: string;
  /**
   * What the person can do. `move` means to try again, or to copy the text elsewhere and drop it
   * here.
   */
  action: "sign-in" | "retry" | "copy" | "move" | null;
};

type Sync = Pick<SnapshotFrom<typeof syncMachine>, "value" | "context">;

const count = (changes: number) => (changes === 1 ? "1 change" : `${changes} changes`);

/** The sentence for each kind of trouble with the log. */
const troubles: Record<Trouble, string> = {
  unreachable: "The server can't be reached.",
  silence: "The server doesn't answer.",
  fault: "The server is in trouble.",
  session: "The server doesn't accept your session at the moment.",
  blocked: "Something between this page and the server, such as a proxy, refuses its requests.",
  foreign:
    "Something else answers in the server's place. This network may ask you to sign in first.",
  "too-large": "Something between this page and the server lets no change of this size through.",
  "too-often": "The server takes no more requests from here for a while.",
};

/** Whether the status is still unknown, because the device has not been searched for leftovers. */
export function isUnknown({ context }: Sync): boolean {
  return context.elsewhere === "unasked" && context.pending === 0;
}

/** Returns the status line: what happened, what it means for the text, what can be done. */
export function status(snapshot: Sync): SyncStatus {
  const { value, context } = snapshot;
  const own = context.pending + context.unreadable;
  const elsewhere = context.elsewhere === "waiting" || context.elsewhere === "stuck";
  const unsaved = own > 0 || elsewhere;
  const onDevice = value.storage === "device";
  if (value.session === "ended") {
    return {
      label: unsaved ? "Not saved" : "Signed out",
      tone: "problem",
      sentence: unsaved
        ? "You've been signed out. Your last changes are safe " +
          `${onDevice ? "on this device" : "in this tab"}. Sign in to ` +
          "continue."
        : "You've been signed out. Everything you wrote is saved. Sign in to continue.",
      action: "sign-in",
    };
  }
  if (value.access === "none") {
    return own > 0
      ? notSaved(
          `You no longer have access to this document. You can still copy the text you wrote (${count(own)}).`,
          "copy",
        )
      : {
          label: "No access",
          tone: "problem",
          sentence: "You no longer have access to this document.",
          action: null,
        };
  }
  if (value.access === "read" && own > 0) {
    return notSaved(
      `You can read this document but no longer edit it. You can still copy the text you wrote (${count(own)}).`,
      "copy",
    );
  }
  if (value.outbox === "refused" && context.pending > 0) {
    // A change that is too large may never be saved, and all later edits wait for it.
    if (context.refusal?.name === "too-large")
      return notSaved(`Your last changes aren't saved. ${sentence(context.refusal)}`, "move");
    const why = context.refusal ? ` ${sentence(context.refusal)}` : "";
    return notSaved(
      `These changes aren't saved on the server yet. Keep this tab open.${why}`,
      "retry",
    );
  }
  if (context.orphaned > 0) {
    return notSaved(
      `${count(context.orphaned)} of yours belong to text of ` +
        "somebody else that was never saved, so they have no " +
        "place in the document. Copy them to put them in by " +
        "hand.",
      "copy",
    );
  }
  if (context.unreadable > 0) return damaged(context);
  if (value.contact === "missing") return disconnected(context, { elsewhere, onDevice });
  const delay =
    context.delay >= 1_000
      ? ` Others see your letters after about ${Math.round(context.delay / 1_000)} s.`
      : "";
  if (context.pending > 0) {
    return {
      label: "Saving…",
      tone: "busy",
      sentence:
        context.failures > 0
          ? `${troubles[context.trouble]} Your changes are kept ` +
            `${onDevice ? "on this device" : "in this tab"} and sent ` +
            "again."
          : `Your changes are being saved.${delay}`,
      action: null,
    };
  }
  if (context.elsewhere === "stuck") {
    if (!onDevice && context.full)
      return notSaved(
        "Changes you made here earlier are kept on this device, which has no room to send " +
          "them from. Free some space on it, but keep this site's data; they are then sent.",
        null,
      );
    return notSaved(
      "Changes you made in another tab of this browser aren't saved yet. Look at that tab, " +
        "or close it: they are then sent from here.",
      null,
    );
  }
  if (unsaved || context.elsewhere === "unasked") {
    return {
      label: "Saving…",
      tone: "busy",
      sentence: "Changes you made here earlier, or in another tab, are being saved.",
      action: null,
    };
  }
  if (value.head === "doubtful") {
    const saved = value.access === "read" ? "" : "Everything you wrote is saved. ";
    return {
      label: "Saving…",
      tone: "busy",
      sentence: `${saved}Checking for what others wrote meanwhile.`,
      action: null,
    };
  }
  if (value.access === "read")
    return {
      label: "Saved",
      tone: "calm",
      sentence: "You can read this document but not edit it.",
      action: null,
    };
  if (!onDevice)
    return { label: "Saved", tone: "warning", sentence: unstoredWords(context.full), action: null };
  return {
    label: "Saved",
    tone: "calm",
    sentence: `Everything you wrote is saved.${delay}`,
    action: null,
  };
}

function disconnected(
  { trouble, network, pending }: Sync["context"],
  { elsewhere, onDevice }: { elsewhere: boolean; onDevice: boolean },
): SyncStatus {
  const what = troubles[trouble];
  if (trouble === "unreachable" || (trouble === "silence" && !network)) {
    const [begin, end] = network
      ? [what, "when it can be reached again"]
      : ["You're offline.", "when you're back"];
    return {
      label: "Offline",
      tone: "warning",
      sentence: onDevice
        ? `${begin} Your changes are kept on this device and will be sent ${end}.`
        : `${begin} This browser keeps nothing on the device. Keep this tab open; your changes ` +
          `will be sent ${end}.`,
      action: null,
    };
  }
  if (pending > 0) {
    const kept = `kept ${onDevice ? "on this device" : "in this tab"} and sent again`;
    return trouble === "too-large"
      ? notSaved(
          `${what} Your last changes (${count(pending)}) aren't saved; they are ${kept}. You can ` +
            "copy them, or save them as a new document.",
          "move",
        )
      : notSaved(
          `${what} Your last changes (${count(pending)}) aren't saved yet; they are ${kept}.`,
          "retry",
        );
  }
  return {
    label: "Not connected",
    tone: "warning",
    sentence: elsewhere
      ? `${what} Changes you made here earlier, or in another tab, are kept on this device and ` +
        "sent again."
      : `${what} Everything you wrote is saved; what others write appears when it's back.`,
    action: null,
  };
}

function unstoredWords(full: boolean): string {
  return full
    ? "This browser has no room for offline changes. Everything you wrote is saved; stay online, or free some space."
    : "This browser keeps nothing on the device. Everything you wrote is saved; without a " +
        "connection, keep this tab open until it is saved again.";
}

function damaged({ pending, unreadable }: Sync["context"]): SyncStatus {
  const rest = pending > 0 ? "The rest is being sent." : "The rest is saved.";
  const many =
    unreadable === 1
      ? "1 change kept on this device is damaged and can't be sent."
      : `${unreadable} changes kept on this device are damaged and can't be sent.`;
  return notSaved(
    `${many} ${rest} You can copy what can be read of ${unreadable === 1 ? "it" : "them"}.`,
    "copy",
  );
}

function notSaved(text: string, action: "retry" | "copy" | "move" | null): SyncStatus {
  return { label: "Not saved", tone: "problem", sentence: text, action };
}
