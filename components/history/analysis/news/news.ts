import type { Backend } from "@/events/backend/backend";
import { absenceOf, lastOwnVersion } from "@/events/analysis/catch-up";
import type { Absence } from "@/events/analysis/catch-up";
import type { LastSeen } from "@/components/workspace-state/last-seen";

/** The changes by others after version `since` up to `until`. `more`: not all of them were read. */
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

/** The most events that are counted, because opening a text must not fetch a long history. */
export const mostRows = 1_000;
export const replaySeconds = 20;

/**
 * Reads the changes by others since a person last saw or edited a document. Returns null if there
 * are none, or if there was no earlier visit.
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
 * Returns the URL that plays the news from the last seen revision, so that the first new change is
 * visible. The playback ends at `newest` if not all changes were read.
 */
export function replayAddress({ since, until, more }: News, newest: number): string {
  return `?from=${since}&to=${more ? Math.max(until, newest) : until}&play=1&within=${replaySeconds}`;
}
