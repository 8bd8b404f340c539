"use client";

import {
  Copy,
  Ellipsis,
  FilePlus2,
  FolderInput,
  LayoutTemplate,
  Link2,
  Pencil,
  Plus,
  Trash2,
} from "lucide-react";
import { useRef } from "react";
import { isolated } from "@/events/core/text/isolated";
import { insideOf } from "@/machines/tree-rows";
import { lastInside, placeBehind } from "@/machines/tree-moves";
import { useBackend } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu, MenuItem, MenuRule } from "@/components/ui/menu";
import { useToast } from "@/components/ui/toast";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import type { WorkspaceDocument } from "@/components/workspace-state/placed-documents";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { TreeTask } from "./tree-task";
import { setExpanded } from "../documents/expanded-documents";
import { FavouriteItem } from "./favourite-item";
import { focusRow, focusRowBeside, returnToRow } from "./row-focus";
import { TitleField } from "./title-field";
import { duplicate, useCopying } from "../documents/use-copying";
import { useBeginDocument } from "../documents/use-new-document";
import { useTrashing } from "../documents/use-trashing";
import styles from "./documents-tree.module.css";

type Props = {
  document: WorkspaceDocument;
  onTask: (task: TreeTask) => void;
  onNavigate: (() => void) | undefined;
};

/** Shows the actions on a document's row that the law allows to this reader now. */
export function RowTools({ document: row, onTask, onNavigate }: Props) {
  const {
    id: workspace,
    documents,
    documentCommands,
    mayDocument,
  } = useWorkspace("id", "documents", "documentCommands", "mayDocument");
  const toast = useToast();
  const begin = useBeginDocument();
  const copy = useCopyText();
  const trashing = useTrashing();
  const backend = useBackend();
  const copying = useCopying();
  const next = useRef<(() => void) | null>(null);
  const { id } = row;
  const title = `“${isolated(row.title || "Untitled")}”`;
  const mayBegin = mayDocument("document.created", null);
  const beginInside = () => {
    setExpanded(workspace, [id], true);
    begin({ place: lastInside(insideOf(documents), id) });
    onNavigate?.();
  };
  const copyRow = () => {
    const store = backend?.store ?? null;
    const place = placeBehind(insideOf(documents), id);
    return copying(
      { documentId: id, title: row.title || "Untitled", icon: row.icon, store },
      duplicate(place),
      { version: row.version, edit: null },
    );
  };
  const setTemplate = async () => {
    const done = await documentCommands.setTemplate(id, !row.template);
    if (done)
      toast({
        text: row.template
          ? `${title} is no template any more`
          : `${title} is a template. “New from template” begins documents as copies of it.`,
      });
  };
  const copyLink = () => copy(`${location.origin}/d/${id}`, "Link copied");
  const trash = () => {
    focusRowBeside(id);
    void trashing(row);
  };
  // The row is replaced or removed only after the menu has released the focus.
  const closed = (event: Event) => {
    event.preventDefault();
    if (next.current === null) returnToRow(id);
    else next.current();
    next.current = null;
  };
  const trigger = (
    <Button look="quiet" icon aria-label="Document actions" title="Document actions">
      <Icon of={Ellipsis} size={14} />
    </Button>
  );
  return (
    <span className={styles.tools}>
      <Menu trigger={trigger} label="Document actions" onClosed={closed}>
        {mayDocument("document.renamed", row) && (
          <MenuItem
            icon={Pencil}
            shortcut="F2"
            onSelect={() => (next.current = () => onTask({ kind: "rename", id }))}
          >
            Rename
          </MenuItem>
        )}
        {mayBegin && (
          <MenuItem icon={FilePlus2} onSelect={() => (next.current = beginInside)}>
            New document inside
          </MenuItem>
        )}
        {mayDocument("document.moved", row) && (
          <MenuItem
            icon={FolderInput}
            onSelect={() => (next.current = () => onTask({ kind: "move", id }))}
          >
            Move to…
          </MenuItem>
        )}
        {mayBegin && (
          <MenuItem icon={Copy} onSelect={() => void copyRow()}>
            Duplicate
          </MenuItem>
        )}
        {mayDocument("document.template_set", row) && (
          <MenuItem icon={LayoutTemplate} onSelect={() => void setTemplate()}>
            {row.template ? "Remove from templates" : "Use as template"}
          </MenuItem>
        )}
        <FavouriteItem document={id} />
        <MenuItem icon={Link2} onSelect={() => void copyLink()}>
          Copy link
        </MenuItem>
        {mayDocument("document.trashed", row) && (
          <>
            <MenuRule />
            <MenuItem icon={Trash2} onSelect={() => (next.current = trash)}>
              Move to trash
            </MenuItem>
          </>
        )}
      </Menu>
      {mayBegin && (
        <Button
          look="quiet"
          icon
          aria-label="New document inside"
          title="New document inside"
          onClick={beginInside}
        >
          <Icon of={Plus} size={14} />
        </Button>
      )}
    </span>
  );
}

type FieldProps = { document: WorkspaceDocument; onDone: () => void };

/** Shows a field in a document's row that renames the document. */
export function RowField({ document: { id, title }, onDone }: FieldProps) {
  const { documentCommands } = useWorkspace("documentCommands");
  const done = (name: string | null, replaces: string) => {
    if (name !== null) void documentCommands.rename(id, name, replaces);
    onDone();
    focusRow(id);
  };
  return <TitleField title={title} className={styles.field} onDone={done} />;
}
