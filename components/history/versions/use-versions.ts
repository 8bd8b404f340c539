"use client";

import { useCallback, useEffect, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { typedEvent, type BodyOf, type EventTypeOf } from "@/events/core/event-types";
import type { VersionRow } from "@/events/read-models/version-rows";
import { sentence } from "@/events/log/refusal";
import { failureWords, reportUnexpected, unsureWords } from "@/components/ui/failure-words";
import { useBackend } from "@/components/session/backend-provider";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** Pinned ones first, then the latest revision. */
function inOrder(versions: readonly VersionRow[]): VersionRow[] {
  return [...versions].sort(
    (one, other) =>
      Number(other.pinned) - Number(one.pinned) ||
      other.at - one.at ||
      other.createdAt.localeCompare(one.createdAt),
  );
}

const outcome = "Version names weren’t changed";

/**
 * The named versions of a document (null until they are read), and what can be done with them:
 * shown at once, taken back if it is refused.
 */
export function useVersions(documentId: string) {
  const backend = useBackend();
  const { me } = useWorkspace("me");
  const toast = useToast();
  const [versions, setVersions] = useState<VersionRow[] | null>(null);
  const [failed, setFailed] = useState<string | null>(null);

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

  const append = async <T extends EventTypeOf<"version">>(
    type: T,
    body: BodyOf<T>,
    id: string,
  ): Promise<boolean> => {
    try {
      if (backend === null) return false;
      const answer = await backend.store.append(documentId, null, [
        {
          id: systemRandom.uuid(),
          ...typedEvent(type, body),
          subject: { kind: "version", id },
          clientTime: new Date().toISOString(),
        },
      ]);
      if (answer.ok) return true;
      toast({ text: sentence(answer.refusal) });
    } catch (fault) {
      reportUnexpected(fault);
      toast({ text: unsureWords(fault, outcome, navigator.onLine) });
    }
    load();
    return false;
  };
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
      change(id, { name });
      return append("version.renamed", { name }, id);
    },
    pin: (id: string, pinned: boolean) => {
      change(id, { pinned });
      return append(pinned ? "version.pinned" : "version.unpinned", {}, id);
    },
  };
}
