"use client";

import { useCallback, useEffect, useRef } from "react";
import { systemRandom } from "@/events/core/clock";
import { sentence } from "@/events/log/refusal";
import type { Appended, Store } from "@/events/log/store";
import { schemaVersion } from "@/events/content/schema";
import { failureWords, reportUnexpected, unsureWords } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { rebasedPreview, recordPreview, sameInEffect } from "@/events/revisions/restore-recording";
import type { Recorded } from "@/events/revisions/restore-recording";
import type { RestorePreview, RestoreRequest } from "@/events/revisions/restore";
import type { Revising } from "@/events/worker/revising";
import { openRevising } from "./page-revising";

type Input = { documentId: string; store: Pick<Store, "read" | "segments" | "append"> | null };

const outcome = "Nothing was changed";
const overtaken =
  "Others kept writing, so this couldn’t be applied. Nothing was changed; try again.";

/**
 * Previews and records selective reverts of a document. `undo` reverts the person's own events
 * between two versions with one more event.
 */
export function useTakeBack({ documentId, store }: Input) {
  const toast = useToast();
  const { me } = useWorkspace("me");
  const revising = useRef<Promise<Revising> | null>(null);
  const left = useRef(false);
  const letGo = useCallback(() => {
    revising.current?.then(
      (opened) => opened.close(),
      () => undefined,
    );
    revising.current = null;
  }, []);
  useEffect(() => {
    left.current = false;
    return () => {
      left.current = true;
      letGo();
    };
  }, [documentId, store, letGo]);

  const previewed = async (
    restoreRequest: RestoreRequest,
    shown: RestorePreview | null = null,
  ): Promise<RestorePreview | null> => {
    if (store === null) return null;
    const acting = {
      userId: me.userId,
      clientId: shown?.clientIds[0] ?? systemRandom.clientId(),
      time: Date.now(),
      eventId: systemRandom.uuid(),
    };
    revising.current ??= openRevising(store, documentId);
    try {
      // Built from the log and not from the live page, because an event may not depend on edits
      // that the log does not have.
      return await (await revising.current).previewed(restoreRequest, acting, shown);
    } catch (fault) {
      letGo();
      throw fault;
    } finally {
      // Undo may be requested after the component has unmounted.
      if (left.current) letGo();
    }
  };
  const record = async (
    restoreRequest: RestoreRequest,
    shown: RestorePreview,
    {
      asShown,
      agrees,
    }: { asShown: boolean; agrees: (shown: RestorePreview, fresh: RestorePreview) => boolean },
  ): Promise<Recorded | null> => {
    if (store === null) return null;
    let isUnanswered = false;
    const append = async ({
      base,
      timeline: _timeline,
      now: _now,
      ...event
    }: RestorePreview): Promise<Appended> => {
      const proposal = {
        id: systemRandom.uuid(),
        ...event,
        schema: schemaVersion,
        clientTime: new Date().toISOString(),
      };
      isUnanswered = true;
      const answer = await store.append(documentId, base, [proposal]);
      isUnanswered = false;
      return answer;
    };
    try {
      return await recordPreview(shown, {
        append,
        ...(asShown && { rebase: (preview) => rebasedPreview(store, documentId, preview) }),
        previewAgain: () => previewed(restoreRequest, shown),
        agrees,
      });
    } catch (fault) {
      reportUnexpected(fault);
      // Only a request that was sent and not answered may have been recorded.
      toast({
        text: (isUnanswered ? unsureWords : failureWords)(fault, outcome, navigator.onLine),
      });
      return null;
    }
  };
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (fault) {
      reportUnexpected(fault);
      toast({ text: failureWords(fault, outcome, navigator.onLine) });
    }
  };
  const reportRefusal = (recorded: Recorded | null): Recorded | null => {
    if (recorded?.state === "refused") toast({ text: sentence(recorded.refusal) });
    if (recorded?.state === "busy") toast({ text: overtaken });
    return recorded;
  };
  /**
   * Records a preview while its effect on the text is unchanged. With `asShown`, records it on top
   * of whatever others have written. Reports a refusal.
   */
  const confirm = async (restoreRequest: RestoreRequest, shown: RestorePreview, asShown: boolean) =>
    reportRefusal(await record(restoreRequest, shown, { asShown, agrees: sameInEffect }));
  /**
   * Records a restore request without a preview, on top of whatever others have written. Returns
   * the version of the event, "nothing" if there is no effect, or null after a failure.
   */
  const fulfil = async (restoreRequest: RestoreRequest): Promise<number | "nothing" | null> => {
    const preview = await previewed(restoreRequest);
    if (preview === null) return "nothing";
    const recorded = reportRefusal(
      await record(restoreRequest, preview, { asShown: true, agrees: () => true }),
    );
    return recorded?.state === "recorded"
      ? recorded.version
      : recorded?.state === "nothing"
        ? "nothing"
        : null;
  };
  const undo = (from: number, to: number) =>
    guarded(async () => {
      const done = await fulfil({ kind: "events", from, to, actorId: me.userId });
      if (done !== null)
        toast({
          text:
            done === "nothing"
              ? "Nothing to revert: none of these changes is left in the text."
              : "Reverted",
        });
    });
  return { previewed, confirm, fulfil, guarded, undo };
}
