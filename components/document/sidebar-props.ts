import type { TreeProps } from "@/components/frame/tree";
import type { WorkspaceView } from "@/components/workspace-state/workspace-context";

/** What the tree beside a document is given. */
export function placeOf(
  workspace: WorkspaceView,
  documentId: string,
  onNewDocument: TreeProps["onNewDocument"],
) {
  return {
    workspace,
    workspaces: workspace.workspaces,
    documents: workspace.documents.live,
    people: workspace.inDocument,
    me: workspace.me,
    current: { document: documentId },
    onNewDocument,
  } satisfies TreeProps;
}
