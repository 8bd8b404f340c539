"use client";

import { useState } from "react";
import { type Store } from "@/events/log/store";
import { useToast } from "@/components/ui/toast";
import { type RestorePreview, type RestoreRequest } from "@/events/revisions/restore";
import { useTakeBack } from "./use-take-back";

type Input = {
  documentId: string;
  store: Pick<Store, "read" | "segments" | "append">;
  /** Called when the present has become what was requested. */
  onRestored: () => void;
};

/**
 * What is being asked: a restore request and its preview; `overtaken`
 * where it was confirmed, and others had changed that.
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
 * Makes something earlier the present again: shows first what would change, then appends one event
 * that does this on top of everything that is there.
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
      // Who was told already that others go on writing gets what was shown, behind whatever they write.
      const recorded = await confirm(restoreRequest, preview, overtaken);
      // What would be done now is shown before it is; where others were only quicker, it is asked again as it stands.
      if (recorded?.state === "differs" || recorded?.state === "busy") {
        const next = {
          restoreRequest,
          preview: recorded.preview,
          overtaken: recorded.state === "differs",
        };
        // Whoever has called it off meanwhile is not asked again.
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
