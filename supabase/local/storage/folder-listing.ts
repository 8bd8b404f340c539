import type { Sql } from "postgres";
import { z } from "zod";
import type { Caller } from "../auth/api-key";
import { asCaller } from "./caller-rows";

export const listRequest = z.object({
  prefix: z.string().default(""),
  limit: z.number().int().min(1).max(1000).default(100),
  offset: z.number().int().min(0).default(0),
  search: z.string().nullish(),
  sortBy: z.object({ column: z.string().nullish(), order: z.string().nullish() }).nullish(),
});
export type ListRequest = z.infer<typeof listRequest>;

/** An object in a folder, or a subfolder, which has only a name. */
export type Entry = {
  name: string;
  id: string | null;
  created_at: string | null;
  updated_at: string | null;
  last_accessed_at: string | null;
  metadata: unknown;
};

export type FolderEntries = (
  caller: Caller,
  bucket: string,
  folder: string,
  request: ListRequest,
) => Promise<readonly Entry[]>;

const times = ["created_at", "updated_at", "last_accessed_at"];

/**
 * Lists one folder (`""` is the top of the bucket) as a caller sees it. The database groups deeper
 * objects into folders, sorts and limits. It therefore returns no more rows than requested.
 */
export function folderEntries(sql: Sql): FolderEntries {
  return (caller, bucket, folder, { limit, offset, search, sortBy }) =>
    asCaller(sql, caller, "storage.object.list", (transaction) => {
      const start = folder ? `${folder}/` : "";
      const column = times.find((name) => name === sortBy?.column) ?? "name";
      const key = column === "name" ? transaction`name collate "C"` : transaction(column);
      const direction =
        sortBy?.order === "desc" ? transaction`desc nulls last` : transaction`asc nulls first`;
      const iso = (name: string) => transaction`
        to_char(${transaction(name)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
          as ${transaction(name)}`;
      return transaction<Entry[]>`
        with found as (
          select o.*, split_part(o.rest, '/', 1) as entry, strpos(o.rest, '/') = 0 as is_object
          from (
            select stored.*, substr(stored.name, length(${start}) + 1) as rest
            from storage.objects stored
            where stored.bucket_id = ${bucket} and starts_with(stored.name, ${start})
          ) o
        ), entries as (
          select distinct on (entry) entry as name,
            case when is_object then id end as id,
            case when is_object then created_at end as created_at,
            case when is_object then updated_at end as updated_at,
            case when is_object then last_accessed_at end as last_accessed_at,
            case when is_object then metadata end as metadata
          from found
          where strpos(lower(entry), lower(${search ?? ""})) > 0
          order by entry, is_object desc
        )
        select name, id, ${iso("created_at")}, ${iso("updated_at")}, ${iso("last_accessed_at")}, metadata
        from entries order by ${key} ${direction}, name collate "C"
        limit ${limit} offset ${offset}`;
    });
}
