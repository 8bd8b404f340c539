import type { ValidationRow } from "@/events/crdt/validation/validation";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { ByteReader } from "@/events/core/bytes/bytes";
import { readCopyIn } from "@/events/crdt/payload/copy-in-payload";
import { decodeEdits, PayloadError } from "@/events/crdt/payload/payload";
import { indexAt } from "@/events/crdt/updates/clock-ranges";
import { structKind } from "@/events/crdt/updates/yjs-content";
import { kindOf, readUpdate, UpdateError } from "@/events/crdt/updates/yjs-update";
import type { Range, Struct } from "@/events/crdt/updates/yjs-update";

/**
 * The origin of copied-in words according to their source's log: an event of a person there, or a
 * state that was itself copied in (`source`), whose own log has to be read. Null if the log does
 * not hold these words at these ids. The words then belong to the person who copied them here.
 * `name` is the author's name in an import.
 */
export type Origin = {
  actorId: string;
  version: number;
  source: string | null;
  name?: string;
  /** When that person sent the event, in milliseconds since the epoch. */
  time?: number;
} | null;
export type Attribution = Range & { origin: Origin };

type Written = { clock: number; length: number; text: string | null; origin: Origin };

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function textOf(struct: Struct): string | null {
  return kindOf(struct) === structKind.string
    ? utf8.decode(new ByteReader(struct.content).block())
    : null;
}

/** Copied-in words with the ids under which they were written. */
export type ImportedContent = { client: number; clock: number; text: string };

/** All content that a log has written, by client id and sorted by clock. */
export class SourceLog {
  private readonly clients = new Map<number, Written[]>();

  /** `rows` are the log's rows from version 1 up to the copied version. */
  constructor(rows: Iterable<ValidationRow>) {
    const fold = new ConfirmedDocument(null);
    for (const row of rows) {
      const source = (row.update && readCopyIn(row.update)?.source) ?? null;
      const { actorId, version } = row;
      const origin: Origin = { actorId, version, source, time: Date.parse(row.clientTime) };
      for (const { update } of fold.integrate(row))
        for (const { client, structs } of readUpdate(update).blocks)
          for (const struct of structs) this.take(client, struct, origin);
    }
  }

  private take(client: number, struct: Struct, origin: Origin): void {
    const written = this.clients.get(client) ?? [];
    const last = written.at(-1);
    const offset = Math.max(0, (last ? last.clock + last.length : 0) - struct.clock);
    // A character belongs to the author of the first event that has it. Later events are ignored.
    if (offset >= struct.length) return;
    const [clock, length] = [struct.clock + offset, struct.length - offset];
    const text = textOf(struct)?.slice(offset) ?? null;
    // Letters typed one by one in the same event form one run.
    if (last?.origin === origin && last.clock + last.length === clock && last.text && text) {
      last.length += length;
      last.text += text;
    } else written.push({ clock, length, text, origin });
    this.clients.set(client, written);
  }

  /** Returns the origin of each part of a copied text. */
  attribute({ client, clock, text }: ImportedContent): Attribution[] {
    const written = this.clients.get(client) ?? [];
    const end = clock + text.length;
    const found: Attribution[] = [];
    let at = clock;
    for (let index = indexAt(written, clock); at < end; index += 1) {
      const run = written[index];
      const from = run ? Math.max(run.clock, at) : end;
      if (from > at)
        found.push({ client, clock: at, length: Math.min(from, end) - at, origin: null });
      at = Math.min(from, end);
      if (!run || at >= end) break;
      const length = Math.min(end, run.clock + run.length) - at;
      const same =
        run.text?.slice(at - run.clock, at - run.clock + length) ===
        text.slice(at - clock, at - clock + length);
      found.push({ client, clock: at, length, origin: same ? run.origin : null });
      at += length;
    }
    return found;
  }
}

function textsOf(update: Uint8Array): ImportedContent[] {
  return readUpdate(update).blocks.flatMap(({ client, structs }) =>
    structs.flatMap((struct) => {
      const text = textOf(struct);
      return text === null ? [] : [{ client, clock: struct.clock, text }];
    }),
  );
}

/** Returns the words in a copy-in's payload. An unreadable payload has none. */
export function copiedTexts(payload: Uint8Array): ImportedContent[] {
  try {
    const copyIn = readCopyIn(payload);
    return copyIn ? decodeEdits(copyIn.payload, 0).flatMap(({ update }) => textsOf(update)) : [];
  } catch (error) {
    if (error instanceof PayloadError || error instanceof UpdateError) return [];
    throw error;
  }
}

/** Attributes words by the rows of a log, from version 1 up to the copied version. */
export function attributeTexts(
  texts: readonly ImportedContent[],
  sourceRows: Iterable<ValidationRow>,
): Attribution[] {
  const source = new SourceLog(sourceRows);
  return texts.flatMap((each) => source.attribute(each));
}

/**
 * Attributes the words of a copied update (one Yjs v1 update) by the rows of its source's log, from
 * version 1 up to the copied version. Claims of the person who copied them are ignored.
 */
export function attribute(update: Uint8Array, sourceRows: Iterable<ValidationRow>): Attribution[] {
  return attributeTexts(textsOf(update), sourceRows);
}
