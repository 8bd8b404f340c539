import { createContext, use } from "react";
import { useDocumentRow } from "@/components/workspace-state/workspace-context";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";

/** The documents that the server's answer names: a long workspace is not whole at first. */
export const FoundDocuments = createContext<readonly WorkspaceDocument[]>([]);

/** A document that was found, as the workspace has it, or else as it came with the answer. */
export function useFoundDocument(id: string): WorkspaceDocument | undefined {
  const known = useDocumentRow(id);
  const brought = use(FoundDocuments).find((row) => row.id === id);
  return known ?? brought;
}
