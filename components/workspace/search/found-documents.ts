import { createContext, use } from "react";
import { useDocumentRow } from "@/components/workspace-state/workspace-context";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";

/** The documents in the server's answer, because a large workspace is not loaded whole at first. */
export const FoundDocuments = createContext<readonly WorkspaceDocument[]>([]);

/** Returns a found document from the workspace, otherwise from the server's answer. */
export function useFoundDocument(id: string): WorkspaceDocument | undefined {
  const known = useDocumentRow(id);
  const brought = use(FoundDocuments).find((row) => row.id === id);
  return known ?? brought;
}
