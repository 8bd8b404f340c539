"use client";

import { longestTitle } from "@/events/core/text/text-lengths";
import { systemRandom } from "@/events/core/clock";
import { firstCodePoints } from "@/events/core/text/code-points";
import type { Proposal } from "@/events/core/envelope";
import { isolated } from "@/events/core/text/isolated";
import { sentence } from "@/events/log/refusal";
import type { Store } from "@/events/log/store";
import type { Move } from "@/machines/document-tree";
import type { Address } from "@/machines/replay/replay-opening";
import { schemaVersion } from "@/events/content/schema";
import { failureWords, reportUnexpected } from "@/components/ui/failure-words";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { beginInTitle } from "./begun-document";
import { useNavigate } from "./navigation-guard";

type Input = {
  documentId: string;
  /** The shown title and icon, which the copy receives. */
  title: string;
  icon: string | null;
  store: Pick<Store, "read" | "append"> | null;
};

/**
 * The kind of copy: the suffix of its title, its place if not last, and the message with an undo
 * link if the copy is created without asking for a name. With `keepsLinks`, links to the document
 * itself stay, because the copy may be merged back.
 */
type Kind = {
  sign: string;
  place?: Move;
  failed: string;
  done?: (title: string) => string;
  keepsLinks?: boolean;
};

export const fork: Kind = {
  sign: " (fork)",
  keepsLinks: true,
  failed: "Nothing was forked",
  done: (title) => `Forked “${title}”. Type to name the fork.`,
};
export const duplicate = (place: Move): Kind => ({
  sign: " copy",
  place,
  done: (title) => `Duplicated “${title}”`,
  failed: "Nothing was copied",
});
export const fromTemplate: Kind = { sign: "", failed: "No document was begun" };

/** Returns a function that copies this document at a revision and opens the copy. */
export function useCopying(): (input: Input, kind: Kind, at: Address) => Promise<void> {
  const { documentCommands } = useWorkspace("documentCommands");
  const go = useNavigate();
  const toast = useToast();
  const tell = (text: string, id: string, from: string) =>
    toast({
      text,
      action: {
        label: "Undo",
        instead: "Move the new document to the trash",
        onAct: () => {
          void documentCommands.trash(id);
          go(from);
        },
      },
    });
  return async (
    { documentId, title, icon, store },
    { sign, place, failed, done: words, keepsLinks = false },
    { version, edit },
  ) => {
    if (store === null) return;
    let begun: string | null = null;
    const giveUp = (text: string) => {
      toast({ text });
      // A copy without its text is moved to the trash.
      if (begun !== null) void documentCommands.trash(begun);
    };
    try {
      const [rows, { copyOf }, { ownLinks }, { inAppends }, { attachedFiles }] = await Promise.all([
        store.read(documentId, 0, version),
        import("@/events/revisions/fork"),
        import("@/events/revisions/copies/own-links"),
        import("@/events/log/append-size"),
        import("@/events/revisions/attached-files"),
      ]);
      const { passages, doc } = copyOf(rows, documentId, edit);
      const requests = inAppends(passages);
      const { id, done } = documentCommands.create({
        title: `${firstCodePoints(title, longestTitle - sign.length)}${sign}`,
      });
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
      const origins = { from: documentId, to: id, origin: location.origin };
      const redirected = keepsLinks ? null : ownLinks(doc, { ...origins, time: Date.now() });
      if (redirected !== null) {
        const edited: Proposal = {
          id: systemRandom.uuid(),
          type: "document.edited",
          body: {},
          schema: schemaVersion,
          clientTime: new Date().toISOString(),
          ...redirected,
        };
        const answer = await store.append(id, newest, [edited]);
        if (!answer.ok) return giveUp(sentence(answer.refusal));
        newest += 1;
      }
      for (const attached of attachedFiles(rows, () => systemRandom.uuid())) {
        const answer = await store.append(id, newest, [attached]);
        // The file was destroyed meanwhile. The copy lacks the file like the original.
        const isGone = !answer.ok && answer.refusal.reason === "file-missing";
        if (!answer.ok && !isGone) return giveUp(sentence(answer.refusal));
        if (answer.ok) newest += 1;
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
      if (place) await documentCommands.move(id, place);
      const from = `${location.pathname}${location.search}`;
      beginInTitle(id);
      go(`/d/${id}`);
      if (words) tell(words(isolated(title)), id, from);
    } catch (fault) {
      reportUnexpected(fault);
      giveUp(failureWords(fault, failed, navigator.onLine));
    }
  };
}
