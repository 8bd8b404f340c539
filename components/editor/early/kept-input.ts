import { getState } from "yjs";
import * as z from "zod/mini";
import type { LiveText } from "../binding/live-text";
import type { EarlyGroup } from "./early-capture";

const place = z.nullable(z.object({ path: z.array(z.number()), offset: z.number() }));
const piece = z.union([
  z.string(),
  z.object({ enter: z.literal(true) }),
  z.object({ strings: z.record(z.string(), z.string()) }),
]);
const groupsShape = z.array(
  z.object({
    from: place,
    to: place,
    words: z.string(),
    deleted: z.number(),
    removed: z.boolean(),
    pieces: z.array(piece),
  }),
);
/** `taken` is the Yjs client id and clock at which a text holds the groups, except `later`. */
const takenShape = z.object({
  groups: groupsShape,
  later: groupsShape,
  taken: z.object({ client: z.number(), clock: z.number() }),
});
const shape = z.union([groupsShape, takenShape]);

/** The input of an earlier page. Files do not outlive their page. */
export type LeftGroup = z.output<typeof groupsShape>[number];

type Stored = z.output<typeof takenShape> | { groups: LeftGroup[]; taken: null };

function parsed(text: string | null): Stored | null {
  try {
    const read = shape.safeParse(JSON.parse(text ?? "null"));
    if (!read.success) return null;
    return Array.isArray(read.data) ? { groups: read.data, taken: null } : read.data;
  } catch {
    // The stored value was not written by Palimpsest.
    return null;
  }
}

/** The text into which the input is written. */
type Taker = Pick<LiveText, "fragment" | "edits">;

/**
 * One page's input that this device keeps, and the text into which it is written. The device keeps
 * the input until the edit that contains it is on the device or in the log, and records which edit
 * that is. A page that writes the input again therefore writes only the groups that its text lacks.
 */
export class KeptInput {
  private readonly key: string;
  private readonly text: Taker;
  private readonly storage: Storage;

  constructor(key: string, text: Taker, storage: Storage = localStorage) {
    this.key = key;
    this.text = text;
    this.storage = storage;
  }

  /** Resolves to the kept groups that the text lacks, or null if the device keeps none. */
  async missing(): Promise<LeftGroup[] | null> {
    const stored = parsed(this.storage.getItem(this.key));
    if (stored === null) {
      this.storage.removeItem(this.key);
      return null;
    }
    if (stored.taken === null) return stored.groups;
    if (!this.holds(stored.taken)) await (await this.text.edits).complete();
    return this.holds(stored.taken) ? stored.later : stored.groups;
  }

  /**
   * Removes groups that the text has just received, once they are stored. Call it in the turn that
   * writes them. `pastes` resolves once the text also has their pastes.
   */
  async removeOnceStored(groups: readonly EarlyGroup[], pastes: Promise<void> | null) {
    this.mark(groups, pastes === null ? [] : groups.map(pastesOf));
    if (pastes !== null) {
      await pastes;
      this.mark(groups, []);
    }
    await (await this.text.edits).stored();
    this.storage.removeItem(this.key);
  }

  private holds({ client, clock }: { client: number; clock: number }): boolean {
    const { doc } = this.text.fragment;
    return doc !== null && getState(doc.store, client) >= clock;
  }

  private mark(groups: readonly EarlyGroup[], later: readonly EarlyGroup[]): void {
    const { doc } = this.text.fragment;
    if (doc === null) return;
    const taken = { client: doc.clientID, clock: getState(doc.store, doc.clientID) };
    try {
      this.storage.setItem(this.key, JSON.stringify({ groups, later, taken }));
    } catch {
      // Without space the device keeps the groups unmarked.
    }
  }
}

/** Returns the pastes of a group, without its letters and deletions. */
function pastesOf(group: EarlyGroup): EarlyGroup {
  const pieces = group.pieces.filter((one) => typeof one === "object" && "strings" in one);
  return { ...group, pieces, deleted: 0, removed: false };
}
