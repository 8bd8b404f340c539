"use client";

import type { Editor } from "@tiptap/core";
import { Replace } from "lucide-react";
import type { KeyboardEvent } from "react";
import { isApple } from "@/components/ui/keyboard/apple";
import { isPressed } from "@/components/ui/keyboard/keys";
import { MenuAt, MenuChoice, MenuItem, MenuRule, MenuSub } from "@/components/ui/menu-parts";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import { runBlockAction } from "./block-actions";
import type { BlockAction } from "./block-actions";
import { blockChoices } from "./block-choices";
import { blockIcons } from "./block-icons";
import { blockKinds, kindOfBlock, turnInto } from "./block-kinds";

type Props = {
  editor: Editor;
  labelledBy: string;
  /** Comments on the selection, or null where commenting is not possible. */
  onComment: (() => void) | null;
  onClose: () => void;
};

/** The actions on the selected block, with their shortcuts, which also work in the open menu. */
export function BlockMenu({ editor, labelledBy, onComment, onClose }: Props) {
  const copyText = useCopyText();
  const apple = isApple();
  const kind = kindOfBlock(editor.state);
  const choices = blockChoices.filter(({ action }) => action !== "comment" || onComment !== null);
  const run = (action: BlockAction) => runBlockAction(editor, action, onComment, copyText);
  const onKeyDown = (event: KeyboardEvent) => {
    const pressed = choices.find(
      ({ keys }) => keys !== null && isPressed(keys, event.nativeEvent, apple),
    );
    if (pressed === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onClose();
    run(pressed.action);
  };
  return (
    <MenuAt
      labelledBy={labelledBy}
      onClose={onClose}
      onKeyDown={onKeyDown}
      onClosed={(event) => {
        event.preventDefault();
        const holder = document.activeElement;
        const isTaken = holder !== null && holder !== document.body;
        if (!isTaken && !editor.isDestroyed) editor.view.focus();
      }}
    >
      <MenuSub icon={Replace} label="Turn into" disabled={kind === null}>
        <MenuChoice
          value={kind ?? ""}
          onChange={(id) => {
            const chosen = blockKinds.find((one) => one.id === id);
            if (chosen) turnInto(editor, chosen);
          }}
          options={blockKinds.map(({ id, name, keys }) => ({
            value: id,
            label: name,
            ...(keys && { shortcut: keys }),
            ...(blockIcons[id] && { icon: blockIcons[id] }),
          }))}
        />
      </MenuSub>
      {choices.map(({ action, name, icon, keys }) => (
        <BlockItem
          key={action}
          icon={icon}
          {...(keys !== null && { shortcut: keys })}
          danger={action === "delete"}
          onSelect={() => run(action)}
        >
          {name}
        </BlockItem>
      ))}
    </MenuAt>
  );
}

function BlockItem({ danger, ...item }: Parameters<typeof MenuItem>[0]) {
  return (
    <>
      {danger && <MenuRule />}
      <MenuItem {...item} danger={danger ?? false} />
    </>
  );
}
