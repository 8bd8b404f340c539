import { bodyOf } from "@/events/core/recorded-body";
import type { RecordedRow } from "@/events/core/recorded-body";
import { lastUpTo } from "@/events/core/binary-search";
import { indexAt } from "@/events/crdt/updates/clock-ranges";
import type { Id } from "@/events/crdt/updates/yjs-update";
import type { Attribution } from "./lineage";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { TextblockHistory } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";

/**
 * A person as the source of copied content identifies them: by account, or only by a name in an
 * imported file.
 */
export type Writer = { userId: string | null; name: string | null };

/** An event that copied content from another stream: a fork, a merge or an import. */
export type CopyIn = {
  /** The first and last revision of the event. */
  from: number;
  to: number;
  type: string;
  /** The person who copied it in: an index into the timeline's authors. */
  by: number;
  /** The source stream, and the version of it that was copied. */
  source: string;
  version: number;
  /** The name of the source, or null if the event does not have it. */
  label: string | null;
  /** The writers of the content, empty if the event does not name them. */
  writers: readonly Writer[];
};

/** The origin of an imported character. `writer` is null if its writer is unknown. */
export type ImportedPassage = { copyIn: CopyIn; writer: Writer | null };

type CopyInWriters = {
  copyIn: CopyIn;
  byClient: ReadonlyMap<number, ImportedPassage>;
  unknown: ImportedPassage;
};
type Held = { clock: number; length: number; end: number; origin: Attribution["origin"] };

/**
 * Returns the fields of an event that copied in another stream's state. Null for any other event,
 * or if the document or version is missing.
 */
export function copyInFields(row: RecordedRow) {
  const imported = bodyOf(row, "document.imported");
  const body = imported ?? bodyOf(row, "document.forked") ?? bodyOf(row, "document.merged");
  if (body?.document === undefined || body.version === undefined) return null;
  return {
    document: body.document,
    version: body.version,
    label: imported?.label ?? null,
    /** The names and Yjs client ids of an import's authors. */
    authors: imported?.authors ?? [],
  };
}

function writersOf(timeline: Timeline): CopyInWriters[] {
  return timeline.marks.flatMap((mark) => {
    const { type, revision, version } = mark;
    // The database keeps the body of such an event byte for byte.
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

/**
 * Removes from sorted runs the parts that an earlier run covers, so that a clock can be found by
 * binary search.
 */
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
 * Determines the content of a document that was written elsewhere, and its writers. `attributions`
 * are read from the logs of the sources (`attribute`). Without them, only imports name writers.
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
    // Events are in order, and no revision belongs to two events.
    this.begins = this.copyIns.map(({ from }) => from);
    this.held = heldOf(attributions);
  }

  /** Returns the copy-in that a revision belongs to, or null if the revision is no part of one. */
  copyInAt(revision: number): CopyIn | null {
    return this.writersAt(revision)?.copyIn ?? null;
  }

  /**
   * Returns the author of a revision: an index into the timeline's authors or, beyond these, into
   * the copy-ins.
   */
  authorAt(revision: number): number {
    const index = this.indexAt(revision);
    return index < 0 ? this.timeline.authorOf(revision) : this.timeline.authors.length + index;
  }

  /** Returns the known writers of a copy-in's content. */
  writersOf(copyIn: CopyIn): readonly Writer[] {
    if (copyIn.writers.length > 0) return copyIn.writers;
    this.found ??= this.writersFound();
    return [...(this.found.get(copyIn) ?? [])];
  }

  /**
   * Returns the origin of a textblock's character, or null if it was written here. Equal origins
   * are the same object.
   */
  of(textblock: TextblockHistory, offset: number): ImportedPassage | null {
    const known = this.writersAt(textblock.born[offset] ?? 0);
    if (!known) return null;
    const id = idOf(textblock, offset);
    const held = id && this.heldAt(id);
    if (!held) return (id && known.byClient.get(id.client)) ?? known.unknown;
    // Words that the source does not hold belong to the person who copied them here.
    if (held.origin === null) return null;
    if (held.origin.source !== null) return known.unknown;
    return this.known(
      known,
      held.origin.name === undefined
        ? { userId: held.origin.actorId, name: null }
        : { userId: null, name: held.origin.name },
    );
  }

  /** Returns when a character was typed in its source document (ms), or null if unknown. */
  typedAt(textblock: TextblockHistory, offset: number): number | null {
    const id = idOf(textblock, offset);
    return (id && this.heldAt(id)?.origin?.time) ?? null;
  }

  /** Finds the writers of all copy-ins together, in a single pass over the whole text. */
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

/** Returns the origins of a timeline's content by its own log. Computed once per timeline. */
export function contentOriginOf(timeline: Timeline): ContentOrigin {
  const made = contentOrigins.get(timeline) ?? new ContentOrigin(timeline);
  contentOrigins.set(timeline, made);
  return made;
}
