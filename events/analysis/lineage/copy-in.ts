import { bodyOf, type RecordedRow } from "@/events/core/recorded-body";
import { lastUpTo } from "@/events/core/binary-search";
import { indexAt } from "@/events/crdt/updates/clock-ranges";
import { type Id } from "@/events/crdt/updates/yjs-update";
import { type Attribution } from "./lineage";
import { idOf, type TextblockHistory, scriptOf } from "@/events/history/timeline/script";
import { type Timeline } from "@/events/history/timeline/timeline";

/** A person as the source of a carried state tells them: by their account, or by no more than a name in a file. */
export type Writer = { userId: string | null; name: string | null };

/** An event that brought what was written elsewhere: a fork, a merge or an import. */
export type CopyIn = {
  /** Its first and its last revision. */
  from: number;
  to: number;
  type: string;
  /** Who carried it: an index into the timeline's authors. */
  by: number;
  /** The stream that it comes from, and the version that one had come to. */
  source: string;
  version: number;
  /** What it comes from, in words, where the event says so. */
  label: string | null;
  /** Who wrote there, as far as the event itself says. */
  writers: readonly Writer[];
};

/** How a character came that nobody wrote here; `writer` is null where it is not known who wrote it there. */
export type ImportedPassage = { copyIn: CopyIn; writer: Writer | null };

type CopyInWriters = {
  copyIn: CopyIn;
  byClient: ReadonlyMap<number, ImportedPassage>;
  unknown: ImportedPassage;
};
type Held = { clock: number; length: number; end: number; origin: Attribution["origin"] };

/**
 * What an event says that carried the state of another stream here, as far as it says it; null for
 * every other event.
 */
export function copyInFields(row: RecordedRow) {
  const imported = bodyOf(row, "document.imported");
  const body = imported ?? bodyOf(row, "document.forked") ?? bodyOf(row, "document.merged");
  if (body?.document === undefined || body.version === undefined) return null;
  return {
    document: body.document,
    version: body.version,
    label: imported?.label ?? null,
    /** By which names an import says that it was written, and under which Yjs client ids. */
    authors: imported?.authors ?? [],
  };
}

function writersOf(timeline: Timeline): CopyInWriters[] {
  return timeline.marks.flatMap((mark) => {
    const { type, revision, version } = mark;
    // The database holds the body of such an event to its bytes.
    const fields = copyInFields(mark);
    if (!fields) return [];
    const { document: source, version: reached, label, authors } = fields;
    const known = authors.map(({ name, clients }): { writer: Writer; clients: number[] } => ({
      writer: { userId: null, name },
      clients,
    }));
    const copyIn: CopyIn = {
      from: timeline.ofVersion(version - 1) + 1,
      to: revision,
      type,
      by: timeline.authorOf(revision),
      source,
      version: reached,
      label,
      writers: known.map(({ writer }) => writer),
    };
    const byClient = new Map(
      known.flatMap(({ writer, clients }) => {
        const imported: ImportedPassage = { copyIn, writer };
        return clients.map((client): [number, ImportedPassage] => [client, imported]);
      }),
    );
    return [{ copyIn, byClient, unknown: { copyIn, writer: null } }];
  });
}

function heldOf(attributions: readonly Attribution[]): Map<number, Held[]> {
  const held = new Map<number, Held[]>();
  for (const { client, clock, length, origin } of attributions) {
    const known = held.get(client) ?? [];
    known.push({ clock, length, end: clock + length, origin });
    held.set(client, known);
  }
  for (const [client, known] of held) {
    known.sort((a, b) => a.clock - b.clock);
    held.set(client, apart(known));
  }
  return held;
}

/** Sorted runs without what an earlier one of them holds already, so that a tick is found by halves. */
function apart(runs: readonly Held[]): Held[] {
  const disjoint: Held[] = [];
  let reached = 0;
  for (const { clock, end, origin } of runs) {
    const from = Math.max(clock, reached);
    if (from >= end) continue;
    reached = end;
    disjoint.push({ clock: from, length: end - from, end, origin });
  }
  return disjoint;
}

/**
 * What of a document was written elsewhere, and by whom. `attributions` are what the logs of its sources tell
 * (`attribute`); without them only an import says who wrote.
 */
export class ContentOrigin {
  readonly copyIns: readonly CopyIn[];
  readonly attributions: readonly Attribution[];
  private readonly copyInWriters: CopyInWriters[];
  private readonly begins: readonly number[];
  private readonly held: Map<number, Held[]>;
  private readonly byWriter = new Map<string, ImportedPassage>();
  private found: Map<CopyIn, Set<Writer>> | null = null;
  private readonly timeline: Timeline;

  constructor(timeline: Timeline, attributions: readonly Attribution[] = []) {
    this.timeline = timeline;
    this.attributions = attributions;
    this.copyInWriters = writersOf(timeline);
    this.copyIns = this.copyInWriters.map(({ copyIn }) => copyIn);
    // Events are told in their order, and no revision is of two.
    this.begins = this.copyIns.map(({ from }) => from);
    this.held = heldOf(attributions);
  }

  /** What a revision carried here; null where it wrote here itself. */
  copyInAt(revision: number): CopyIn | null {
    return this.writersAt(revision)?.copyIn ?? null;
  }

  /** Whose writing a revision is: an index into the timeline's authors or, behind those, into the copy-ins. */
  authorAt(revision: number): number {
    const index = this.indexAt(revision);
    return index < 0 ? this.timeline.authorOf(revision) : this.timeline.authors.length + index;
  }

  /** Who is known to have written what a copy-in brought. */
  writersOf(copyIn: CopyIn): readonly Writer[] {
    if (copyIn.writers.length > 0) return copyIn.writers;
    this.found ??= this.writersFound();
    return [...(this.found.get(copyIn) ?? [])];
  }

  /** How a character of a textblock came; null where it was written here. The same answer is the same object. */
  of(textblock: TextblockHistory, offset: number): ImportedPassage | null {
    const known = this.writersAt(textblock.born[offset] ?? 0);
    if (!known) return null;
    const id = idOf(textblock, offset);
    const held = id && this.heldAt(id);
    if (!held) return (id && known.byClient.get(id.client)) ?? known.unknown;
    // Words that the source does not hold are those of whoever says that they stood there.
    if (held.origin === null) return null;
    if (held.origin.source !== null) return known.unknown;
    return this.known(
      known,
      held.origin.name === undefined
        ? { userId: held.origin.actorId, name: null }
        : { userId: null, name: held.origin.name },
    );
  }

  /** When a character was typed in the document that it comes from; null where that is not known. */
  typedAt(textblock: TextblockHistory, offset: number): number | null {
    const id = idOf(textblock, offset);
    return (id && this.heldAt(id)?.origin?.time) ?? null;
  }

  /** Of all copy-ins at once, for each would take going through the whole text. */
  private writersFound(): Map<CopyIn, Set<Writer>> {
    const found = new Map(this.copyIns.map((copyIn) => [copyIn, new Set<Writer>()]));
    if (this.copyIns.length === 0) return found;
    for (const textblock of scriptOf(this.timeline).textblocks) {
      for (let offset = 0; offset < textblock.text.length; offset += 1) {
        const imported = this.of(textblock, offset);
        if (imported?.writer) found.get(imported.copyIn)?.add(imported.writer);
      }
    }
    return found;
  }

  private writersAt(revision: number): CopyInWriters | undefined {
    return this.copyInWriters[this.indexAt(revision)];
  }

  private indexAt(revision: number): number {
    const index = lastUpTo(this.begins, revision);
    const known = this.copyInWriters[index];
    return known && known.copyIn.to >= revision ? index : -1;
  }

  private heldAt({ client, clock }: Id): Held | undefined {
    const runs = this.held.get(client) ?? [];
    const run = runs[indexAt(runs, clock)];
    return run && run.clock <= clock ? run : undefined;
  }

  private known(writers: CopyInWriters, writer: Writer): ImportedPassage {
    const key = `${writers.copyIn.to} ${writer.userId ?? ""} ${writer.name ?? ""}`;
    const known = this.byWriter.get(key) ?? { copyIn: writers.copyIn, writer };
    this.byWriter.set(key, known);
    return known;
  }
}

const contentOrigins = new WeakMap<Timeline, ContentOrigin>();

/** What of a timeline's text was written elsewhere, as its own log tells; made once for each. */
export function contentOriginOf(timeline: Timeline): ContentOrigin {
  const made = contentOrigins.get(timeline) ?? new ContentOrigin(timeline);
  contentOrigins.set(timeline, made);
  return made;
}
