import {
  draftKey,
  DraftRecord,
  type Begun,
  type DraftStorage,
  type Sent,
} from "@/events/device/comment-drafts";

/** The unsent words of one field. */
export type DraftSlot = {
  read: () => string;
  write: (text: string) => void;
  /** Holds words that were sent until it is known what came of them. */
  sent: (text: string, done: Promise<{ ok: boolean }>) => void;
};

/**
 * What somebody has written about a document and not sent yet, kept on this device until it is
 * recorded or discarded.
 */
export type DraftStore = {
  begun: () => Begun | null;
  begin: (begun: Begun | null) => void;
  /** The words of the thread that is being begun. */
  beginning: DraftSlot;
  /** The words of an answer to a thread, or of a comment's new wording, by its id. */
  slot: (id: string) => DraftSlot;
  /**
   * Makes drafts again of what an earlier page sent and could not bring into the log; a field that
   * holds words by now waits for another page.
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
 * Opens the drafts of one person and one document, which every tab of the browser has open at once:
 * a tab changes what is its own, and takes nothing away that another has written. In one and the
 * same field the words written last are kept.
 */
export function draftStore(
  storage: DraftStorage | null,
  userId: string,
  documentId: string,
): DraftStore {
  const record = new DraftRecord(storage, draftKey(userId, documentId));
  let earlier: readonly Sent[] = record.read().sent;
  /** The thread that is being begun in this tab, which may have come from an earlier page. */
  let own = record.read().begun.at(-1) ?? null;
  /** The words of each field as this tab knows them. */
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
      // What is cleared here is what was written here; other words in this field are another tab's.
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
        // The tab that sent it knows by now what came of it, or another has taken it up.
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
