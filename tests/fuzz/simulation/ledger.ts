import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { WholeState } from "@/events/crdt/validation/document-state";
import { insertedText } from "@/events/crdt/updates/inserted-text";
import type { MemoryBackend } from "@/events/backend/memory-backend.fixture";
import type { Ruling } from "@/events/core/envelope";

/** The document that all pages have open. */
export const stream = "00000000-0000-4000-8000-00000000f022";

/** Countable events of a run: what people did, and what went wrong. */
const happenings = [
  "typed",
  "erased",
  "formatted",
  "crashed",
  "reloaded",
  "closed",
  "duplicated",
  "flushed",
  "offline",
  "uplinkCut",
  "downlinkCut",
  "apart",
  "restarted",
  "stalled",
  "slow",
  "skewed",
  "signedOut",
  "lowered",
  "removed",
  "raised",
  "trashed",
  "repeatedRequest",
  "lateRequest",
  "lostAfterCommit",
  "replaced",
  "held",
  "copied",
  "offered",
  "fromSnapshot",
  "newSchema",
  "outdated",
  "intruded",
  "savedChecked",
  "unseen",
] as const;
type Happening = (typeof happenings)[number];

type Right = { after: number; user: string; may: boolean };

/**
 * What is known of a run independently of the product: who typed what and when, what was
 * acknowledged to whom, who could write from which version on, and forbidden observations.
 */
export class Ledger {
  readonly authors = new Map<string, string>();
  readonly typedAt = new Map<string, number>();
  readonly erased = new Set<string>();
  /** The letters offered to a person as a copy, taken, and then dropped. */
  readonly copied = new Set<string>();
  readonly acknowledged: Pick<Ruling, "id" | "version" | "hash">[] = [];
  /** The letters in the log, and their first author. */
  readonly logged = new Map<string, string>();
  readonly violations: string[] = [];
  readonly happened: Record<Happening, number>;
  private readonly rights: Right[] = [];
  private readonly backend: MemoryBackend;
  private readonly fold = new ConfirmedDocument(null);
  private letter = 0x4e00;

  constructor(backend: MemoryBackend) {
    this.backend = backend;
    const none = Object.fromEntries(happenings.map((name) => [name, 0]));
    this.happened = none as Record<Happening, number>;
  }

  count(what: Happening, by = 1): void {
    this.happened[what] += by;
  }

  /** A letter that was never typed before. */
  typed(user: string): string {
    const letter = String.fromCharCode(this.letter++);
    this.authors.set(letter, user);
    this.typedAt.set(letter, this.backend.clock.elapsed());
    this.count("typed");
    return letter;
  }

  /** Records that a person may, or may no longer, write from the next version on. */
  right(user: string, may: boolean): void {
    this.rights.push({ after: this.backend.log(stream).length, user, may });
  }

  mayWrite(user: string, version: number): boolean {
    return (
      this.rights.findLast((right) => right.user === user && right.after < version)?.may === true
    );
  }

  /** Records what the log has brought since the last call. */
  read(): void {
    for (const row of this.backend.log(stream).slice(this.fold.version))
      for (const { update } of this.fold.integrate(row))
        for (const letter of insertedText(update))
          if (!this.logged.has(letter)) this.logged.set(letter, row.actorId);
  }

  /** The state from which the server renders a page. */
  state(): WholeState {
    this.read();
    const hash = this.backend.log(stream)[this.fold.version - 1]?.hash;
    return { ...this.fold.state(), ...(hash && { hash }) };
  }
}

/** The letters in a text, without its markup. */
export const letters = (text: string) => [...text].filter((letter) => letter >= "\u4e00");
