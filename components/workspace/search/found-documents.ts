import { createContext, use } from "react";
import { useDocumentRow } from "@/components/workspace-state/workspace-context";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";

/**
 * The documents that the server's answer includes: a long workspace is not loaded whole at first.
 */
export const FoundDocuments = createContext<readonly WorkspaceDocument[]>([]);

/** A found document, from the workspace or else from the answer. */
export function useFoundDocument(id: string): WorkspaceDocument | undefined {
  const known = useDocumentRow(id);
  const brought = use(FoundDocuments).find((row) => row.id === id);
  return known ?? brought;
}
