"use client";

import { useState } from "react";
import type { Store } from "@/events/log/store";
import { useToast } from "@/components/ui/toast";
import type { RestorePreview, RestoreRequest } from "@/events/revisions/restore";
import { useTakeBack } from "./use-take-back";

type Input = {
  documentId: string;
  store: Pick<Store, "read" | "segments" | "append">;
  /** Called after the restore has been recorded. */
  onRestored: () => void;
};

/**
 * The pending question: a restore request and its preview. `overtaken` is true if changes by others
 * have invalidated a confirmed preview.
 */
type Question = { restoreRequest: RestoreRequest; preview: RestorePreview; overtaken: boolean };

const done: Record<RestoreRequest["kind"], string> = {
  revision: "Restored",
  passage: "Passage restored",
  words: "Passage restored",
  author: "Changes reverted",
  events: "Reverted",
};

const alike = ({ kind }: RestoreRequest) =>
  `${kind === "words" ? "This passage" : "The document"} already reads like this. Nothing was changed.`;

/**
 * Restores earlier content. Shows a preview, then appends one event that applies it on top of
 * everything recorded.
 */
export function useRestore({ documentId, store, onRestored }: Input) {
  const toast = useToast();
  const [question, setQuestion] = useState<Question | null>(null);
  const [asking, setAsking] = useState(false);
  const { previewed, confirm, guarded, undo } = useTakeBack({ documentId, store });

  return {
    question,
    asking,
    ask: (restoreRequest: RestoreRequest) => {
      setAsking(true);
      void guarded(async () => {
        const preview = await previewed(restoreRequest);
        if (preview) setQuestion({ restoreRequest, preview, overtaken: false });
        else toast({ text: alike(restoreRequest) });
      }).finally(() => setAsking(false));
    },
    confirm: async () => {
      if (!question) return;
      const { restoreRequest, preview, overtaken } = question;
      // After the warning, the preview is recorded on top of all later changes by others.
      const recorded = await confirm(restoreRequest, preview, overtaken);
      // If the effect has changed, the new preview is shown. If the document is merely busy, the
      // dialog asks again with the current preview.
      if (recorded?.state === "differs" || recorded?.state === "busy") {
        const next = {
          restoreRequest,
          preview: recorded.preview,
          overtaken: recorded.state === "differs",
        };
        // Skipped if the person has cancelled meanwhile.
        setQuestion((asked) => (asked === question ? next : asked));
        return;
      }
      setQuestion(null);
      if (recorded?.state === "nothing") toast({ text: alike(restoreRequest) });
      if (recorded?.state !== "recorded") return;
      const { version } = recorded;
      toast({
        text: done[restoreRequest.kind],
        action: {
          label: "Undo",
          instead: "Open the history and restore the moment before",
          onAct: () => void undo(version, version),
        },
      });
      onRestored();
    },
    cancel: () => setQuestion(null),
  };
}

export type Restore = ReturnType<typeof useRestore>;
