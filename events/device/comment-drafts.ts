import * as z from "zod/mini";

const anchor = z.object({ start: z.string(), end: z.string(), quote: z.string() });
const sending = z.object({
  slot: z.nullable(z.string()),
  anchor: z.nullable(anchor),
  text: z.string(),
});
const beginning = z.object({ anchor, text: z.string() });
const shape = z.object({
  // It was a single one once, and none was null.
  begun: z.pipe(
    z.nullable(z.union([z.array(beginning), beginning])),
    z.transform((stored) => (stored === null ? [] : Array.isArray(stored) ? stored : [stored])),
  ),
  words: z.record(z.string(), z.string()),
  sent: z._default(z.array(sending), []),
});

/** What is kept of one person and document: threads being begun, the words of each field, and what is on its way. */
type Drafts = z.output<typeof shape>;

/** A thread that is being begun: on which words, and what is written so far. */
export type Begun = z.output<typeof beginning>;

/**
 * Words on their way: to a thread that exists or a comment that is reworded (`slot`), or as a new
 * thread on what `anchor` names.
 */
export type Sent = z.output<typeof sending>;

/** Where drafts are kept: a browser's storage, as far as it is needed for one of them. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const nothing: Drafts = { begun: [], words: {}, sent: [] };

function parsed(text: string | null): Drafts {
  try {
    const read = shape.safeParse(JSON.parse(text ?? "null"));
    return read.success ? read.data : nothing;
  } catch {
    // Whatever stands there was not written by this page.
    return nothing;
  }
}

/**
 * One record of drafts, which all tabs of a browser share: what is changed is what stands there now, not what this page
 * has read once. Without `storage`, or where it is full, it lasts as long as the page.
 */
export class DraftRecord {
  private readonly storage: DraftStorage | null;
  private readonly key: string;
  private stored: string | null = null;
  private held: Drafts = nothing;
  /** Whether the page holds what the storage could not take. */
  private adrift = false;

  constructor(storage: DraftStorage | null, key: string) {
    this.storage = storage;
    this.key = key;
  }

  read(): Drafts {
    if (this.adrift) return this.held;
    try {
      const stored = this.storage?.getItem(this.key) ?? null;
      if (this.storage && stored !== this.stored) this.held = parsed(stored);
      this.stored = stored;
    } catch {
      return this.held;
    }
    return this.held;
  }

  change(how: (drafts: Drafts) => Drafts): void {
    const before = this.read();
    const next = how(before);
    if (next === before) return;
    this.held = next;
    try {
      this.stored = isEmpty(next) ? null : JSON.stringify(next);
      if (this.stored === null) this.storage?.removeItem(this.key);
      else this.storage?.setItem(this.key, this.stored);
      this.adrift = this.storage === null;
    } catch {
      // The page still holds it; what would be lost is lost with the page alone.
      this.adrift = true;
    }
  }
}

function isEmpty({ begun, words, sent }: Drafts): boolean {
  return begun.length === 0 && Object.keys(words).length === 0 && sent.length === 0;
}

const prefix = "palimpsest.drafts.";

/** The name of the record of one person and one document. */
export function draftKey(userId: string, documentId: string): string {
  return `${prefix}${userId}.${documentId}`;
}

/**
 * Removes from this device what was written and not sent, whoever wrote it; what was sent and not
 * recorded stays, as unsaved edits do.
 */
export function forgetDrafts(storage: DraftStorage & Pick<Storage, "key" | "length">): void {
  const keys = Array.from(
    { length: storage.length },
    (_, index) => storage.key(index) ?? "",
  ).filter((key) => key.startsWith(prefix));
  for (const key of keys) {
    const { sent } = parsed(storage.getItem(key));
    if (sent.length === 0) storage.removeItem(key);
    else storage.setItem(key, JSON.stringify({ ...nothing, sent }));
  }
}

/**
 * How many comments of one person this device keeps: `sent` are on their way, `begun` are being
 * written.
 */
export function countDrafts(
  storage: Pick<Storage, "key" | "length" | "getItem">,
  userId: string,
): { sent: number; begun: number } {
  let [sent, begun] = [0, 0];
  for (let at = 0; at < storage.length; at += 1) {
    const key = storage.key(at) ?? "";
    if (!key.startsWith(`${prefix}${userId}.`)) continue;
    const drafts = parsed(storage.getItem(key));
    sent += drafts.sent.length;
    begun += drafts.begun.filter(({ text }) => text.trim() !== "").length;
    begun += Object.values(drafts.words).filter((words) => words.trim() !== "").length;
  }
  return { sent, begun };
}

/** This device's storage; null where the browser gives none. */
export function deviceStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
