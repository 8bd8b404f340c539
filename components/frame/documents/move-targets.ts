import { aboveIn } from "@/machines/tree-rows";
import { movePlaces } from "@/machines/tree/move-places";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";

/** The target of a move: a document, or the top level if `parent` is null. */
export type MoveTarget = { parent: string | null; title: string; icon: string | null };

const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLocaleLowerCase();

/**
 * Returns the possible targets of a move. `find` searches them by title, and `above` names the
 * ancestors of a target.
 */
export function moveTargets(documents: readonly WorkspaceDocument[], id: string) {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const own = byId.get(id)?.parent ?? null;
  const topLevel: MoveTarget = { parent: null, title: "Top level", icon: null };
  const targets = [
    topLevel,
    ...movePlaces(documents, id).map(({ id: parent, title, icon }): MoveTarget => ({
      parent,
      title: title || "Untitled",
      icon,
    })),
  ]
    .filter(({ parent }) => parent !== own)
    .map((target) => ({ target, key: folded(target.title) }));
  return {
    find(query: string): MoveTarget[] {
      const words = folded(query.trim());
      const found = targets.filter(({ key }) => key.includes(words));
      if (words === "") return found.map(({ target }) => target);
      const kinds = [
        found.filter(({ key }) => key === words),
        found.filter(({ key }) => key !== words && key.startsWith(words)),
        found.filter(({ key }) => !key.startsWith(words)),
      ];
      return kinds.flat().map(({ target }) => target);
    },
    above: (target: string) =>
      aboveIn(byId, target)
        .map(({ title }) => title || "Untitled")
        .join(" / "),
  };
}
