import type { Happening } from "@/events/read-models/activity";
import type { ChangeLine } from "@/events/read-models/change-lines";
import { byDay } from "@/components/ui/time/day-words";

/** The kinds by which the list can be filtered. */
export const entryKinds = ["writing", "comments", "versions", "documents"] as const;
export type EntryKind = (typeof entryKinds)[number] | "people";

/**
 * An entry of the activity: one person's changes in a document in one session, or one event of the
 * workspace.
 */
export type Entry = {
  key: string;
  kind: EntryKind;
  actorId: string;
  /** The document of the entry, or null for events of the workspace itself. */
  document: string | null;
  began: string;
  at: string;
  /** The versions before and after the entry. */
  from: number;
  to: number;
  line: ChangeLine | null;
  happening: Happening | null;
};

export type Filter = { kind: EntryKind | null; by: string | null; document: string | null };

const time = (iso: string) => Date.parse(iso);

function groupedBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item));
    if (own) own.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

function kindOfType(type: string): EntryKind {
  if (type === "document.edited" || type === "document.reworked") return "writing";
  if (type === "document.reverted") return "versions";
  const [area] = type.split(".");
  if (area === "thread" || area === "comment") return "comments";
  return area === "version" ? "versions" : area === "document" ? "documents" : "people";
}

function kindOfLine({ parts: [part] }: ChangeLine): EntryKind {
  switch (part?.kind) {
    case "commented":
    case "replied":
      return "comments";
    case "restored":
    case "named":
      return "versions";
    case "renamed":
      return "documents";
    case "event":
      return kindOfType(part.type);
    default:
      return "writing";
  }
}

/**
 * Returns the activity, newest first. Entries come from lines where lines are derived, otherwise
 * from events. `floor` is the time of the first event, or null if the events are complete. Activity
 * before `floor` is shown once earlier events are loaded.
 */
export function entriesOf(
  happenings: readonly Happening[],
  lines: readonly ChangeLine[],
  floor: string | null,
): Entry[] {
  const byDocument = groupedBy(lines, ({ documentId }) => documentId);
  const shown = lines.filter(({ at }) => floor === null || time(at) >= time(floor));
  const entries = shown.map((line): Entry => ({
    key: `${line.documentId} ${line.from}`,
    kind: kindOfLine(line),
    actorId: line.actorId,
    document: line.documentId,
    began: line.began,
    at: line.at,
    from: Math.max(1, line.from - 1),
    to: line.to,
    line,
    happening: null,
  }));
  for (const happening of happenings) {
    const { id, type, stream, actorId, version, at, began } = happening;
    const isOfDocument = stream.kind === "document";
    const isTold =
      isOfDocument &&
      byDocument
        .get(stream.id)
        ?.some((line) => line.actorId === actorId && line.from <= version && version <= line.to);
    if (isTold) continue;
    entries.push({
      key: id,
      kind: isOfDocument ? kindOfType(type) : "people",
      actorId,
      document: isOfDocument ? stream.id : null,
      began,
      at,
      from: Math.max(1, version - happening.count),
      to: version,
      line: null,
      happening,
    });
  }
  return entries.sort((a, b) => time(b.at) - time(a.at) || a.key.localeCompare(b.key));
}

/** Returns the entries that pass a filter. */
export function filtered(entries: readonly Entry[], { kind, by, document }: Filter): Entry[] {
  return entries.filter(
    (entry) =>
      (kind === null || entry.kind === kind) &&
      (by === null || entry.actorId === by) &&
      (document === null || entry.document === document),
  );
}

/** An entry, with its day's heading if it is the day's first. `begins`: its document's first. */
export type Placed = { entry: Entry; day: string | null; begins: boolean };

/** Sorts entries by day, then by document. The last changed document comes first. */
export function placed(entries: readonly Entry[], clock: { now: number; zone: string }): Placed[] {
  return byDay(entries, ({ at }) => at, clock).flatMap(({ heading, items }) =>
    [...groupedBy(items, ({ document }) => document).values()].flatMap((own, group) =>
      own.map((entry, at) => ({
        entry,
        day: group === 0 && at === 0 ? heading : null,
        begins: at === 0,
      })),
    ),
  );
}
