import { draftKey, DraftRecord } from "@/events/device/comment-drafts";
import type { Begun, DraftStorage, Sent } from "@/events/device/comment-drafts";

/** The unsent words of one field. */
export type DraftSlot = {
  read: () => string;
  write: (text: string) => void;
  /** Holds sent words until the outcome of `done` is known. */
  sent: (text: string, done: Promise<{ ok: boolean }>) => void;
};

/**
 * A person's unsent comments on a document, kept on this device until they are recorded or
 * discarded.
 */
export type DraftStore = {
  begun: () => Begun | null;
  begin: (begun: Begun | null) => void;
  /** The words of the new thread. */
  beginning: DraftSlot;
  /** The words of a reply (by the id of the thread) or of an edited comment (by its id). */
  slot: (id: string) => DraftSlot;
  /**
   * Restores sent comments of earlier pages that were not recorded. If a field already holds words,
   * its restored words wait for another page.
   */
  recover: (isRecorded: (sent: Sent) => boolean) => void;
};

const isOn = (one: Begun, other: Begun | null) =>
  other !== null &&
  one.anchor.start === other.anchor.start &&
  one.anchor.end === other.anchor.end &&
  one.anchor.quote === other.anchor.quote;
const isSame = (one: Sent, other: Sent) =>
  JSON.stringify([one.slot, one.anchor, one.text]) ===
  JSON.stringify([other.slot, other.anchor, other.text]);

function without(sent: readonly Sent[], one: Sent): Sent[] {
  const at = sent.findIndex((other) => isSame(one, other));
  return at < 0 ? [...sent] : sent.toSpliced(at, 1);
}

/**
 * Opens the drafts of one person and one document, which all tabs of the browser share. A tab
 * changes its own drafts and never deletes those of another tab. If two tabs write to the same
 * field, the last words win.
 */
export function draftStore(
  storage: DraftStorage | null,
  userId: string,
  documentId: string,
): DraftStore {
  const record = new DraftRecord(storage, draftKey(userId, documentId));
  let earlier: readonly Sent[] = record.read().sent;
  /** The new thread of this tab, possibly started on an earlier page. */
  let own = record.read().begun.at(-1) ?? null;
  /** The words of each field that this tab has last read or written. */
  const known = new Map<string, string>();
  const begin = (next: Begun | null) => {
    const before = own;
    own = next;
    record.change((drafts) => {
      const others = drafts.begun.filter(
        (each) => !(isOn(each, before) && each.text === before?.text) && !isOn(each, next),
      );
      return { ...drafts, begun: next ? [...others, next] : others };
    });
  };
  const send = (sent: Sent, done: Promise<{ ok: boolean }>) => {
    record.change((drafts) => ({ ...drafts, sent: [...drafts.sent, sent] }));
    void done.then(() =>
      record.change((drafts) => ({ ...drafts, sent: without(drafts.sent, sent) })),
    );
  };
  const readWords = (id: string) => {
    const text = record.read().words[id] ?? "";
    known.set(id, text);
    return text;
  };
  const writeWords = (id: string, text: string) => {
    record.change((drafts) => {
      const { [id]: stored, ...others } = drafts.words;
      if (text !== "") return { ...drafts, words: { ...others, [id]: text } };
      // Clearing removes only words that this tab wrote. Other words in the field belong to another
      // tab.
      return stored === undefined || stored !== (known.get(id) ?? stored)
        ? drafts
        : { ...drafts, words: others };
    });
    known.set(id, text);
  };
  return {
    begun: () => own,
    begin,
    beginning: {
      read: () => own?.text ?? "",
      write: (text) => own && begin({ ...own, text }),
      sent: (text, done) => own && send({ slot: null, anchor: own.anchor, text }, done),
    },
    slot: (id) => ({
      read: () => readWords(id),
      write: (text) => writeWords(id, text),
      sent: (text, done) => send({ slot: id, anchor: null, text }, done),
    }),
    recover(isRecorded) {
      for (const sent of earlier) {
        const { slot, anchor, text } = sent;
        const { sent: waiting, words } = record.read();
        // The outcome is known by now, or another tab has restored the comment.
        if (!waiting.some((other) => isSame(sent, other))) continue;
        if (!isRecorded(sent)) {
          if (slot !== null && words[slot] === undefined) writeWords(slot, text);
          else if (anchor !== null && !own?.text) begin({ anchor, text });
          else continue;
        }
        record.change((drafts) => ({ ...drafts, sent: without(drafts.sent, sent) }));
      }
      earlier = [];
    },
  };
}
