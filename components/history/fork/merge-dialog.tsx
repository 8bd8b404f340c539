"use client";

import { useEffect, useMemo, useState } from "react";
import { systemRandom } from "@/events/core/clock";
import { sentence } from "@/events/log/refusal";
import { DiffPreview } from "@/components/history/compare/diff-preview";
import { broughtWords } from "@/components/history/words/change-words";
import { authorsOf } from "@/components/history/authors/authors";
import { useComparison } from "@/components/history/compare/use-comparison";
import { schemaVersion } from "@/events/content/schema";
import { failureWords, reportUnexpected, unsureWords } from "@/components/ui/failure-words";
import restore from "@/components/history/restore/restore-dialog.module.css";
import { openRevising } from "@/components/history/restore/page-revising";
import { useTakeBack } from "@/components/history/restore/use-take-back";
import { useBackend } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { isolated } from "@/events/core/text/isolated";
import { Skeleton } from "@/components/ui/skeleton";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { Merging } from "@/events/revisions/merge";

type Side = { id: string; title: string };
type Props = {
  from: Side;
  into: Side;
  /** Called after a merge, and after a merge was undone. */
  onChanged: () => void;
  onClose: () => void;
};
type State = { merging: Merging | null } | { failed: string } | "reading";

const outcome = "Nothing was merged";

const partly = (title: string) =>
  `Only a part came into “${isolated(title)}” before it stopped. ` +
  "Both documents keep their history; merge again to bring the rest.";

/** Previews a merge of one document into the other, and merges on request. */
export function MergeDialog({ from, into, onChanged, onClose }: Props) {
  const backend = useBackend();
  const { me, people } = useWorkspace("me", "people");
  const toast = useToast();
  const { undo, fulfil } = useTakeBack({ documentId: into.id, store: backend?.store ?? null });
  const [state, setState] = useState<State>("reading");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    if (backend === null) return;
    let left = false;
    const revising = openRevising(backend.store, into.id);
    const acting = {
      userId: me.userId,
      clientId: systemRandom.clientId(),
      time: Date.now(),
      eventId: systemRandom.uuid(),
    };
    const prepared = revising.then((opened) => opened.merging(from.id, acting));
    prepared.then(
      (merging) => !left && setState({ merging }),
      (fault: unknown) => {
        reportUnexpected(fault);
        if (!left) setState({ failed: failureWords(fault, outcome, navigator.onLine) });
      },
    );
    return () => {
      left = true;
      revising.then(
        (opened) => opened.close(),
        () => undefined,
      );
    };
  }, [backend, from.id, into.id, me.userId]);
  const merging = typeof state === "object" && "merging" in state ? state.merging : null;
  const authors = useMemo(() => merging && authorsOf(merging.timeline, people), [merging, people]);
  const comparison = useComparison(
    merging &&
      authors && { source: authors.source, from: merging.now, to: merging.timeline.length - 1 },
  );
  const close = () => {
    setBusy(false);
    onClose();
  };
  const merge = async () => {
    if (backend === null || merging === null) return;
    setBusy(true);
    let arrived = 0;
    const versions: number[] = [];
    const stop = (why: string) => toast({ text: arrived === 0 ? why : partly(into.title) });
    try {
      for (const pieces of merging.requests) {
        const answer = await backend.store.append(
          into.id,
          null,
          pieces.map((piece) => ({
            id: systemRandom.uuid(),
            type: "document.merged",
            body: merging.body,
            schema: schemaVersion,
            clientTime: new Date().toISOString(),
            ...piece,
          })),
        );
        if (!answer.ok) {
          stop(sentence(answer.refusal));
          break;
        }
        arrived += 1;
        versions.push(...answer.rulings.map(({ version }) => version));
      }
      if (arrived < merging.requests.length) return close();
      for (const { version, actorId } of merging.again) {
        const recorded = await fulfil({ kind: "events", from: version, to: version, actorId });
        if (recorded === null) return close();
        if (recorded !== "nothing") versions.push(recorded);
      }
      if (versions.length > 0) {
        toast({
          text: `Merged into “${isolated(into.title)}”. Both documents keep their history.`,
          action: {
            label: "Undo",
            instead: `Restore the moment before in the history of “${isolated(into.title)}”`,
            onAct: () => void undo(Math.min(...versions), Math.max(...versions)).then(onChanged),
          },
        });
        onChanged();
      }
    } catch (fault) {
      reportUnexpected(fault);
      stop(unsureWords(fault, outcome, navigator.onLine));
    }
    close();
  };
  const what =
    typeof state === "object" && "failed" in state
      ? state.failed
      : state === "reading"
        ? "Both documents are being read."
        : merging === null
          ? `“${isolated(into.title)}” has everything that stands in ` +
            `“${isolated(from.title)}” already. There is nothing to ` +
            "merge."
          : `What was written and taken away in “${isolated(from.title)}” comes into ` +
            `“${isolated(into.title)}”${comparison ? `: ${broughtWords(comparison)}` : ""}. ` +
            "What stands there otherwise stays." +
            (merging.again.length > 0
              ? " It was merged before, and that was taken back: what was taken out then comes back."
              : "");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Merge into “${isolated(into.title)}”`}
      description={what}
    >
      {state === "reading" && <Skeleton lines={4} label="Reading both documents" />}
      {merging && authors && (
        <div className={restore.preview}>
          <DiffPreview comparison={comparison} authors={authors} />
        </div>
      )}
      <DialogActions>
        <Button look="edge" onClick={onClose}>
          {merging ? "Cancel" : "Close"}
        </Button>
        {merging && (
          <Button look="primary" busy={busy} onClick={() => void merge()}>
            Merge
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
