"use client";

import { useRef } from "react";
import { systemRandom } from "@/events/core/clock";
import { type Ruled } from "@/events/core/envelope";
import { sentence } from "@/events/log/refusal";
import { type Appended, type Store } from "@/events/log/store";
import { schemaVersion } from "@/events/content/schema";
import { failureWords, reportUnexpected, unsureWords } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { type Recorded, recordDraft, sameInEffect } from "@/events/revisions/restore-recording";
import { type Draft, type Wish } from "@/events/revisions/restore";

type Input = { documentId: string; store: Pick<Store, "read" | "append"> | null };

const kept = "Nothing was changed";
const overtaken =
  "Others kept writing, so that this could not be put behind what they wrote. Nothing was changed; try it again.";

/** Drafts and records reworks of a document; `undo` takes one's own events from one version to another back, by one more event. */
export function useTakeBack({ documentId, store }: Input) {
  const toast = useToast();
  const { me } = useWorkspace();
  const known = useRef<readonly Ruled[]>([]);

  /** What the log holds now, not what the live page shows: no event may hang on what is not in the log. */
  const newest = async (from: Pick<Store, "read">): Promise<readonly Ruled[]> => {
    const since = await from.read(documentId, known.current.length);
    // What was read before a redaction still has the words.
    const stale = since.some(({ type }) => type === "document.redacted");
    known.current = stale ? await from.read(documentId, 0) : [...known.current, ...since];
    return known.current;
  };
  const drafted = async (wish: Wish, clientId = systemRandom.clientId()): Promise<Draft | null> => {
    if (store === null) return null;
    const [rows, { draftOf }] = await Promise.all([
      newest(store),
      import("@/events/revisions/restore"),
    ]);
    return draftOf(wish, rows, {
      userId: me.userId,
      clientId,
      time: Date.now(),
      eventId: systemRandom.uuid(),
    });
  };
  const record = async (
    wish: Wish,
    shown: Draft,
    agrees: (shown: Draft, fresh: Draft) => boolean,
  ): Promise<Recorded | null> => {
    if (store === null) return null;
    let asked = false;
    const append = async ({
      base,
      timeline: _timeline,
      now: _now,
      ...event
    }: Draft): Promise<Appended> => {
      const proposal = {
        id: systemRandom.uuid(),
        ...event,
        schema: schemaVersion,
        clientTime: new Date().toISOString(),
      };
      asked = true;
      const answer = await store.append(documentId, base, [proposal]);
      asked = false;
      return answer;
    };
    try {
      return await recordDraft(shown, {
        append,
        redraft: () => drafted(wish, shown.clientIds[0]),
        agrees,
      });
    } catch (fault) {
      reportUnexpected(fault);
      // Only what was sent and not answered may have been done.
      toast({ text: (asked ? unsureWords : failureWords)(fault, kept, navigator.onLine) });
      return null;
    }
  };
  const guarded = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (fault) {
      reportUnexpected(fault);
      toast({ text: failureWords(fault, kept, navigator.onLine) });
    }
  };
  const said = (recorded: Recorded | null): Recorded | null => {
    if (recorded?.state === "refused") toast({ text: sentence(recorded.refusal) });
    if (recorded?.state === "busy") toast({ text: overtaken });
    return recorded;
  };
  /** Records what was shown, as long as it still does the same to the text; says why where it was refused. */
  const confirm = async (wish: Wish, shown: Draft) => said(await record(wish, shown, sameInEffect));
  /** Records a wish without showing it, on whatever others have written; answers its version, null where it could not be done. */
  const fulfil = async (wish: Wish): Promise<number | "nothing" | null> => {
    const draft = await drafted(wish);
    if (draft === null) return "nothing";
    const recorded = said(await record(wish, draft, () => true));
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
              ? "Nothing of it stands any more; there is nothing to take back."
              : "Taken back.",
        });
    });
  return { drafted, confirm, fulfil, guarded, undo };
}
