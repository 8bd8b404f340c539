"use client";

import { systemRandom } from "@/events/core/clock";
import { firstCodePoints } from "@/events/core/code-points";
import { sentence } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { Address } from "@/machines/replay/replay-opening";
import { schemaVersion } from "@/events/content/schema";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useNavigate } from "@/components/frame/navigation-guard";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

type Input = {
  documentId: string;
  /** As they are shown: the fork is called and marked like what somebody sees. */
  title: string;
  icon: string | null;
  store: Pick<Store, "read" | "append"> | null;
};

const longestTitle = 300;
const sign = " (fork)";

/** Makes a new document that begins as this one stood at a revision, and goes there. */
export function useFork({ documentId, title, icon, store }: Input): (at: Address) => Promise<void> {
  const { documentCommands } = useWorkspace("documentCommands");
  const go = useNavigate();
  const toast = useToast();
  return async ({ version, edit }) => {
    if (store === null) return;
    let begun: string | null = null;
    const giveUp = (text: string) => {
      toast({ text });
      // Without its text it is nobody's document.
      if (begun !== null) void documentCommands.trash(begun);
    };
    try {
      const [rows, { forkOf }, { inAppends }] = await Promise.all([
        store.read(documentId, 0, version),
        import("@/events/revisions/fork"),
        import("@/events/log/append-size"),
      ]);
      const requests = inAppends(forkOf(rows, documentId, edit));
      const { id, done } = documentCommands.create(
        `${firstCodePoints(title, longestTitle - sign.length)}${sign}`,
      );
      if (!(await done)) return;
      begun = id;
      let newest = 1;
      for (const pieces of requests) {
        const answer = await store.append(
          id,
          newest,
          pieces.map((piece) => ({
            id: systemRandom.uuid(),
            type: "document.forked",
            body: { document: documentId, version },
            schema: schemaVersion,
            clientTime: new Date().toISOString(),
            ...piece,
          })),
        );
        if (!answer.ok) return giveUp(sentence(answer.refusal));
        newest += pieces.length;
      }
      if (icon !== null) {
        const answer = await store.append(id, newest, [
          {
            id: systemRandom.uuid(),
            type: "document.icon_set",
            body: { emoji: icon },
            clientTime: new Date().toISOString(),
          },
        ]);
        if (!answer.ok) return giveUp(sentence(answer.refusal));
      }
      go(`/d/${id}`);
    } catch (fault) {
      reportUnexpected(fault);
      giveUp(failureWords(fault, "Nothing was forked", navigator.onLine));
    }
  };
}
