import { z } from "zod";

export const listRequest = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().nullish(),
  sortBy: z.object({ column: z.string().nullish(), order: z.string().nullish() }).nullish(),
});
type ListRequest = z.infer<typeof listRequest>;

export const listRow = z.looseObject({
  id: z.string(),
  name: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
  last_accessed_at: z.string().nullish(),
  metadata: z.unknown(),
});
export type ListRow = z.infer<typeof listRow>;

type Entry = {
  name: string;
  id: string | null;
  created_at: string | null;
  updated_at: string | null;
  last_accessed_at: string | null;
  metadata: unknown;
};

/**
 * Makes of all objects below a folder (`''` is the top) the entries of that folder itself: objects,
 * and folders with a null id, sorted and cut as asked.
 */
export function foldListing(
  rows: readonly ListRow[],
  folder: string,
  request: ListRequest,
): Entry[] {
  const start = folder ? `${folder}/` : "";
  const entries = new Map<string, Entry>();
  for (const row of rows) {
    if (!row.name.startsWith(start)) continue;
    const [name = "", ...below] = row.name.slice(start.length).split("/");
    if (request.search && !name.toLowerCase().includes(request.search.toLowerCase())) continue;
    if (below.length === 0) entries.set(name, { ...entryOf(row), name });
    else if (!entries.has(name)) {
      entries.set(name, {
        name,
        id: null,
        created_at: null,
        updated_at: null,
        last_accessed_at: null,
        metadata: null,
      });
    }
  }
  const direction = request.sortBy?.order === "desc" ? -1 : 1;
  const key = sortKey(request.sortBy?.column ?? "name");
  const sorted = [...entries.values()].sort((a, b) => direction * compare(key(a), key(b)));
  return sorted.slice(request.offset, request.offset + request.limit);
}

function entryOf({ id, name, created_at, updated_at, last_accessed_at, metadata }: ListRow): Entry {
  return {
    id,
    name,
    created_at,
    updated_at,
    last_accessed_at: last_accessed_at ?? null,
    metadata: metadata ?? null,
  };
}

function sortKey(column: string): (entry: Entry) => string {
  switch (column) {
    case "created_at":
      return (entry) => entry.created_at ?? "";
    case "updated_at":
      return (entry) => entry.updated_at ?? "";
    case "last_accessed_at":
      return (entry) => entry.last_accessed_at ?? "";
    default:
      return (entry) => entry.name;
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
