"use client";

import type { Editor } from "@tiptap/core";
import { FileText, Plus } from "lucide-react";
import { useEffect, useRef } from "react";
import { Floating } from "@/components/editor/toolbar/floating";
import type { Anchor } from "@/components/editor/toolbar/floating";
import menu from "@/components/editor/slash/slash-menu.module.css";
import { Icon } from "@/components/ui/icon";
import { isolated } from "@/events/core/text/isolated";
import styles from "./link-list.module.css";
import { insertChosen, linkListId } from "./link-menu";
import { linkMenuState } from "./link-menu-state";
import type { LinkMenuState } from "./link-menu-state";
import { optionId, parentTitle, shownTitle } from "./link-options";
import type { LinkOption } from "./link-options";

function menuAnchor(editor: Editor): Anchor | null {
  const open = linkMenuState(editor.state);
  if (open === null) return null;
  const { left, right, top, bottom } = editor.view.coordsAtPos(open.from);
  return { left: left - 10, right, top, bottom };
}

function OptionWords({ option }: { option: LinkOption }) {
  if (option.kind === "new")
    return (
      <>
        <Icon of={Plus} />
        <span className={menu.name}>New document “{isolated(option.title)}”</span>
      </>
    );
  const parent = parentTitle(option.row);
  return (
    <>
      {option.row.icon === null ? (
        <Icon of={FileText} />
      ) : (
        <span className={styles.emoji} aria-hidden="true">
          {option.row.icon}
        </span>
      )}
      <span className={styles.title}>{isolated(shownTitle(option.row))}</span>
      {parent !== null && <span className={styles.parent}>in {isolated(parent)}</span>}
    </>
  );
}

type Props = {
  editor: Editor;
  open: LinkMenuState;
  onNewDocument: (title: string) => string | null;
};

/**
 * The list of documents under a typed `[[` or `@`. Focus stays in the text, whose
 * `aria-activedescendant` is the chosen option.
 */
export function LinkList({ editor, open, onNewDocument }: Props) {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: "nearest" });
  }, [open.chosen]);
  return (
    <Floating editor={editor} anchor={menuAnchor} side="below" gap={6} className={menu.menu}>
      <div className={menu.heading} aria-hidden="true">
        Link to document
      </div>
      <div id={linkListId} role="listbox" aria-label="Link to document">
        {open.options.map((option, index) => (
          <div
            key={optionId(option)}
            id={optionId(option)}
            ref={index === open.chosen ? chosen : null}
            role="option"
            aria-selected={index === open.chosen}
            className={option.kind === "new" && index > 0 ? styles.apart : menu.option}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => insertChosen(editor.view, open, option, onNewDocument)}
          >
            <OptionWords option={option} />
          </div>
        ))}
      </div>
      <p className="sr" role="status">
        {open.options.length === 1 ? "1 choice" : `${open.options.length} choices`}
      </p>
    </Floating>
  );
}
