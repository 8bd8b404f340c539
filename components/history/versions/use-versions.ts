"use client";

import { useCallback, useEffect, useRef, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { typedEvent } from "@/events/core/event-types";
import type { BodyOf, EventTypeOf } from "@/events/core/event-types";
import type { Rows } from "@/events/read-models/rows";
import type { VersionRow } from "@/events/read-models/version-rows";
import { sentence } from "@/events/log/refusal";
import type { Refusal } from "@/events/log/refusal";
import type { Backend } from "@/events/backend/backend";
import { renameVersion } from "@/machines/version-rename";
import { failureWords, reportUnexpected, unsureWords } from "@/components/ui/failure-words";
import { useBackend } from "@/components/session/backend-provider";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** Sorts versions: pinned versions first, then by revision, the latest first. */
function inOrder(versions: readonly VersionRow[]): VersionRow[] {
  return [...versions].sort(
    (one, other) =>
      Number(other.pinned) - Number(one.pinned) ||
      other.at - one.at ||
      other.createdAt.localeCompare(one.createdAt),
  );
}

const outcome = "Version names weren’t changed";

type Answer = { ok: true } | { ok: false; refusal: Refusal };

const proposalOf = <T extends EventTypeOf<"version">>(type: T, body: BodyOf<T>, id: string) => ({
  id: systemRandom.uuid(),
  ...typedEvent(type, body),
  subject: { kind: "version", id },
  clientTime: new Date().toISOString(),
});

async function nameOf(rows: Rows, documentId: string, id: string): Promise<string | null> {
  const { versionsOf } = await import("@/events/read-models/version-rows");
  return (await versionsOf(rows, documentId)).find((version) => version.id === id)?.name ?? null;
}

/**
 * Returns the named versions of a document (null until they are read), and the actions on them.
 * Actions are optimistic, and are rolled back after a refusal.
 */
export function useVersions(documentId: string) {
  const backend = useBackend();
  const { me } = useWorkspace("me");
  const toast = useToast();
  const [versions, setVersions] = useState<VersionRow[] | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const renaming = useRef(Promise.resolve(true));

  const load = useCallback(() => {
    if (backend === null) return;
    import("@/events/read-models/version-rows")
      .then(({ versionsOf }) => versionsOf(backend.rows, documentId))
      .then(
        (read) => {
          setVersions(read);
          setFailed(null);
        },
        (fault: unknown) => {
          reportUnexpected(fault);
          setFailed(
            failureWords(
              fault,
              "The versions couldn’t be loaded. Nothing is lost",
              navigator.onLine,
            ),
          );
        },
      );
  }, [backend, documentId]);
  useEffect(load, [load]);

  const attempt = async (act: (backend: Backend) => Promise<Answer>): Promise<boolean> => {
    try {
      if (backend === null) return false;
      const answer = await act(backend);
      if (answer.ok) return true;
      toast({ text: sentence(answer.refusal) });
    } catch (fault) {
      reportUnexpected(fault);
      toast({ text: unsureWords(fault, outcome, navigator.onLine) });
    }
    load();
    return false;
  };
  const append = <T extends EventTypeOf<"version">>(type: T, body: BodyOf<T>, id: string) =>
    attempt(({ store }) => store.append(documentId, null, [proposalOf(type, body, id)]));
  const change = (id: string, fields: Partial<VersionRow>) =>
    setVersions(
      (before) =>
        before?.map((version) => (version.id === id ? { ...version, ...fields } : version)) ?? null,
    );

  return {
    versions: versions && inOrder(versions),
    failed,
    retry: load,
    name: (at: number, name: string) => {
      const id = systemRandom.uuid();
      const now = new Date().toISOString();
      setVersions((before) => [
        ...(before ?? []),
        {
          id,
          documentId,
          at,
          name,
          pinned: false,
          createdBy: me.userId,
          createdAt: now,
          updatedAt: now,
        },
      ]);
      return append("version.named", { at, name }, id);
    },
    rename: (id: string, name: string) => {
      const replaces = versions?.find((version) => version.id === id)?.name ?? "";
      change(id, { name });
      const before = renaming.current;
      // Renames run in sequence, because each replaces the name that the previous one has set.
      renaming.current = before.then(() =>
        attempt(async ({ store, rows }) => {
          const propose = (wanted: string, known: string) =>
            store.append(documentId, null, [
              { ...proposalOf("version.renamed", { name: wanted }, id), replaces: known },
            ]);
          const nameNow = () => nameOf(rows, documentId, id);
          const answer = await renameVersion({ propose, nameNow }, name, replaces);
          change(id, { name: answer.name });
          return answer;
        }),
      );
      return renaming.current;
    },
    pin: (id: string, pinned: boolean) => {
      change(id, { pinned });
      return append(pinned ? "version.pinned" : "version.unpinned", {}, id);
    },
  };
}
