"use client";

import type { Editor } from "@tiptap/core";
import type { LucideIcon } from "lucide-react";
import { Dialog } from "@/components/ui/dialog";
import { Icon } from "@/components/ui/icon";
import { runBlockAction } from "./block-actions";
import { blockChoices } from "./block-choices";
import { blockIcons } from "./block-icons";
import { blockKinds, kindOfBlock, turnInto } from "./block-kinds";
import { useCopyText } from "@/components/ui/clipboard/use-copy-text";
import styles from "./block-sheet.module.css";

type Props = {
  editor: Editor;
  /** Comments on the selection, or null where commenting is not possible. */
  onComment: (() => void) | null;
  onClose: () => void;
};

/** The actions on the selected block, as a bottom sheet on phones. */
export function BlockSheet({ editor, onComment, onClose }: Props) {
  const copyText = useCopyText();
  const kind = kindOfBlock(editor.state);
  const choices = blockChoices.filter(({ action }) => action !== "comment" || onComment !== null);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Block actions"
      place="sheet"
      onCloseAutoFocus={(event) => event.preventDefault()}
    >
      <div className={styles.list}>
        {choices.map(({ action, name, icon }) => (
          <Choice
            key={action}
            icon={icon}
            name={name}
            danger={action === "delete"}
            onChoose={() => {
              onClose();
              runBlockAction(editor, action, onComment, copyText);
            }}
          />
        ))}
      </div>
      {kind !== null && (
        <div className={styles.list} role="group" aria-label="Turn into">
          <h3 className={styles.heading}>Turn into</h3>
          {blockKinds.map((each) => (
            <Choice
              key={each.id}
              icon={blockIcons[each.id]}
              name={each.name}
              pressed={each.id === kind}
              onChoose={() => {
                onClose();
                turnInto(editor, each);
              }}
            />
          ))}
        </div>
      )}
    </Dialog>
  );
}

type ChoiceProps = {
  icon: LucideIcon | undefined;
  name: string;
  danger?: boolean;
  pressed?: boolean;
  onChoose: () => void;
};

function Choice({ icon, name, danger = false, pressed, onChoose }: ChoiceProps) {
  return (
    <button
      type="button"
      className={styles.choice}
      data-danger={danger || undefined}
      aria-pressed={pressed}
      onClick={onChoose}
    >
      {icon && <Icon of={icon} />}
      {name}
    </button>
  );
}
