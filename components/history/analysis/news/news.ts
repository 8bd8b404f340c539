import type { Backend } from "@/events/backend/backend";
import { absenceOf, lastOwnVersion, type Absence } from "@/events/analysis/catch-up";
import { type LastSeen } from "@/components/workspace-state/last-seen";

/** What others did after version `since` and up to `until`; `more` where that is only the beginning of it. */
export type News = {
  since: number;
  at: string | null;
  until: number;
  absence: Absence[];
  more: boolean;
};

type Input = {
  backend: { rows: Backend["rows"]; store: Pick<Backend["store"], "read"> };
  documentId: string;
  userId: string;
  seen: LastSeen | null;
};

/** How many events are counted at most: opening a text must not fetch all of a long history. */
export const mostRows = 1_000;
export const replaySeconds = 20;

/**
 * Reads what others did in a document since somebody last saw it, or wrote in it; null where that
 * is nothing, or they never did.
 */
export async function readNews({ backend, documentId, userId, seen }: Input): Promise<News | null> {
  const since = Math.max(
    seen?.version ?? 0,
    await lastOwnVersion(backend.rows, documentId, userId),
  );
  if (since === 0) return null;
  const rows = await backend.store.read(documentId, since, mostRows);
  const absence = absenceOf(rows, userId);
  const until = rows.at(-1)?.version ?? since;
  return absence.length === 0
    ? null
    : {
        since,
        at: since === seen?.version ? seen.at : null,
        until,
        absence,
        more: rows.length === mostRows,
      };
}

/**
 * The address that plays the news: from the last revision that was seen, so that the first one
 * missed comes in before one's eyes, to the last; to `newest` where not all of them were read.
 */
export function replayAddress({ since, until, more }: News, newest: number): string {
  return `?from=${since}&to=${more ? Math.max(until, newest) : until}&play=1&within=${replaySeconds}`;
}
