import * as z from "zod/mini";

const anchor = z.object({ start: z.string(), end: z.string(), quote: z.string() });
const sending = z.object({
  slot: z.nullable(z.string()),
  anchor: z.nullable(anchor),
  text: z.string(),
});
const beginning = z.object({ anchor, text: z.string() });
const shape = z.object({
  // Older releases stored a single new thread, or null.
  begun: z.pipe(
    z.nullable(z.union([z.array(beginning), beginning])),
    z.transform((stored) => (stored === null ? [] : Array.isArray(stored) ? stored : [stored])),
  ),
  words: z.record(z.string(), z.string()),
  sent: z._default(z.array(sending), []),
});

/**
 * One person's drafts in one document: new threads, the text of each field, and comments in flight.
 */
type Drafts = z.output<typeof shape>;

/** A new thread in progress: its anchor and its text so far. */
export type Begun = z.output<typeof beginning>;

/**
 * A comment in flight. It is sent to an existing thread or as an edited comment (`slot`), or as a
 * new thread at `anchor`.
 */
export type Sent = z.output<typeof sending>;

/** The storage of drafts: only those methods of `Storage` that this file calls. */
export type DraftStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const nothing: Drafts = { begun: [], words: {}, sent: [] };

function parsed(text: string | null): Drafts {
  try {
    const read = shape.safeParse(JSON.parse(text ?? "null"));
    return read.success ? read.data : nothing;
  } catch {
    // Invalid data was not written by this page.
    return nothing;
  }
}

/**
 * One record of drafts that all tabs of a browser share. Changes apply to its current content, not
 * to the content that this page once read. Without `storage`, or if the storage is full, the record
 * lasts as long as the page.
 */
export class DraftRecord {
  private readonly storage: DraftStorage | null;
  private readonly key: string;
  private stored: string | null = null;
  private held: Drafts = nothing;
  /** Whether the page holds changes that the storage did not accept. */
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
      // The page still holds the change, which is lost only when the page ends.
      this.adrift = true;
    }
  }
}

function isEmpty({ begun, words, sent }: Drafts): boolean {
  return begun.length === 0 && Object.keys(words).length === 0 && sent.length === 0;
}

const prefix = "palimpsest.drafts.";

/** Returns the storage key of one person's drafts in one document. */
export function draftKey(userId: string, documentId: string): string {
  return `${prefix}${userId}.${documentId}`;
}

/**
 * Removes unsent drafts of all people from this device. Comments that were sent but not recorded
 * stay, as unsaved edits do.
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

/** Counts one person's comments on this device: `sent` are in flight, `begun` are drafts. */
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

/** Returns local storage, or null if the browser provides none. */
export function deviceStorage(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}
