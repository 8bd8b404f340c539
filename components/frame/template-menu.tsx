"use client";

import { LayoutTemplate } from "lucide-react";
import { useBackend } from "@/components/session/backend-provider";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { fromTemplate, useCopying } from "./documents/use-copying";
import styles from "./tree.module.css";

/** Creates a document from one of the workspace's templates. */
export function TemplateMenu() {
  const { documents } = useWorkspace("documents");
  const store = useBackend()?.store ?? null;
  const copy = useCopying();
  const begin = ({ id, title, icon, version }: WorkspaceDocument) =>
    void copy({ documentId: id, title: title || "Untitled", icon, store }, fromTemplate, {
      version,
      edit: null,
    });
  const trigger = (
    <button type="button" className={styles.row}>
      <Icon of={LayoutTemplate} size={14} />
      <span className={styles.label}>New from template</span>
    </button>
  );
  return (
    <Menu trigger={trigger} label="Templates">
      {documents
        .filter(({ template }) => template)
        .map((document) => (
          <MenuItem key={document.id} onSelect={() => begin(document)}>
            <DocumentIcon emoji={document.icon} /> {document.title || "Untitled"}
          </MenuItem>
        ))}
    </Menu>
  );
}
