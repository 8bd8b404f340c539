"use client";

import type { Editor } from "@tiptap/core";
import { Type } from "lucide-react";
import { useEffect, useRef } from "react";
import { Icon } from "@/components/ui/icon";
import { blockIcons } from "../blocks/block-icons";
import { Floating } from "../toolbar/floating";
import type { Anchor } from "../toolbar/floating";
import { runSlash, slashListId, slashOptionId, slashState } from "./slash";
import type { SlashState } from "./slash";
import styles from "./slash-menu.module.css";

function slashAnchor(editor: Editor): Anchor | null {
  const open = slashState(editor.state);
  if (open === null) return null;
  const { left, right, top, bottom } = editor.view.coordsAtPos(open.from);
  return { left: left - 10, right, top, bottom };
}

/**
 * The block menu under a typed slash. Focus stays in the text, whose `aria-activedescendant` is the
 * chosen option.
 */
export function SlashMenu({ editor, open }: { editor: Editor; open: SlashState }) {
  const chosen = useRef<HTMLDivElement>(null);
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: "nearest" });
  }, [open.chosen]);
  return (
    <Floating editor={editor} anchor={slashAnchor} side="below" gap={6} className={styles.menu}>
      <div className={styles.heading} aria-hidden="true">
        Blocks
      </div>
      <div id={slashListId} role="listbox" aria-label="Blocks">
        {open.options.map((command, index) => (
          <div
            key={command.id}
            id={slashOptionId(command)}
            ref={index === open.chosen ? chosen : null}
            role="option"
            aria-selected={index === open.chosen}
            className={styles.option}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => runSlash(editor, command)}
          >
            <Icon of={blockIcons[command.id] ?? Type} />
            <span className={styles.name}>{command.name}</span>
            {command.typed !== "" && <kbd aria-hidden="true">{command.typed}</kbd>}
          </div>
        ))}
      </div>
      <p className="sr" role="status">
        {open.options.length === 1 ? "1 block" : `${open.options.length} blocks`}
      </p>
    </Floating>
  );
}
