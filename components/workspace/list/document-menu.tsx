"use client";

import { Ellipsis, History, Pencil, Play, Trash2 } from "lucide-react";
import { useRef } from "react";
import type { RefObject } from "react";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { FavouriteItem } from "@/components/frame/rows/favourite-item";
import { useTrashing } from "@/components/frame/documents/use-trashing";
import { buttonClass } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./document-list.module.css";

type Props = {
  document: DocumentRow;
  buttonRef: RefObject<HTMLButtonElement | null>;
  onRename: () => void;
};

/** Focuses the row after this one, or else the row before it, once this row is removed. */
function focusNeighbour(id: string) {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-document]")];
  const at = rows.findIndex((row) => row.dataset.document === id);
  const next = rows[at + 1] ?? rows[at - 1];
  requestAnimationFrame(() =>
    (next?.querySelector<HTMLElement>("a") ?? document.getElementById("main"))?.focus(),
  );
}

/** Shows the actions on a listed document that the law allows to this reader now. */
export function DocumentMenu({ document: row, buttonRef, onRename }: Props) {
  const { mayDocument } = useWorkspace("mayDocument");
  const trashing = useTrashing();
  const next = useRef<"rename" | "trash" | null>(null);
  const { id } = row;
  const title = row.title || "Untitled";
  const trash = () => {
    focusNeighbour(id);
    void trashing(row);
  };
  // The row is replaced or removed only after the menu has released the focus.
  const closed = (event: Event) => {
    const chosen = next.current;
    next.current = null;
    if (chosen === null) return;
    event.preventDefault();
    if (chosen === "rename") onRename();
    else trash();
  };
  const trigger = (
    <button
      ref={buttonRef}
      type="button"
      aria-label={`Actions for ${title}`}
      className={buttonClass({ look: "quiet", icon: true, className: styles.more })}
    >
      <Icon of={Ellipsis} />
    </button>
  );
  return (
    <Menu trigger={trigger} align="end" onClosed={closed}>
      {mayDocument("document.renamed", row) && (
        <MenuItem icon={Pencil} onSelect={() => (next.current = "rename")}>
          Rename
        </MenuItem>
      )}
      <FavouriteItem document={id} />
      <MenuLink>
        <Link href={`/d/${id}?at=${row.version}`}>
          <Icon of={History} />
          History
        </Link>
      </MenuLink>
      {row.version > 1 && (
        <MenuLink>
          <Link href={`/d/${id}?from=1&to=${row.version}&play=1&within=20`}>
            <Icon of={Play} />
            Play history
          </Link>
        </MenuLink>
      )}
      {mayDocument("document.trashed", row) && (
        <>
          <MenuRule />
          <MenuItem icon={Trash2} onSelect={() => (next.current = "trash")}>
            Move to trash
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
