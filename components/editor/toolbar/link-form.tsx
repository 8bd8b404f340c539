"use client";

import type { Editor } from "@tiptap/core";
import { Unlink } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Floating } from "./floating";
import type { Anchor } from "./floating";
import { addressFromInput, safeAddress } from "@/events/content/safe-address";
import styles from "./link-form.module.css";

function linkAnchor(editor: Editor): Anchor | null {
  const { from, to } = editor.state.selection;
  const [start, end] = [editor.view.coordsAtPos(from), editor.view.coordsAtPos(to, -1)];
  return { left: start.left - 12, right: end.right, top: start.top, bottom: end.bottom };
}

type Props = { editor: Editor; onClose: () => void };

/**
 * The form for the address of a link. Enter applies the address, and Escape closes the form. An
 * unsafe address is refused with a message.
 */
export function LinkForm({ editor, onClose }: Props) {
  const current = safeAddress(editor.getAttributes("link").href);
  const [input, setInput] = useState(current ?? "");
  const [refused, setRefused] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => field.current?.select(), []);
  const leave = () => {
    onClose();
    editor.commands.focus();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const href = addressFromInput(input);
    if (href === null) {
      setRefused(true);
      field.current?.focus();
      return;
    }
    onClose();
    editor.chain().focus().extendMarkRange("link").setLink({ href }).run();
  };
  const remove = () => {
    onClose();
    editor.chain().focus().extendMarkRange("link").unsetLink().run();
  };
  return (
    <Floating
      editor={editor}
      anchor={linkAnchor}
      side="below"
      className={styles.layer}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        leave();
      }}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && onClose()}
    >
      <form className={styles.form} onSubmit={submit} role="dialog" aria-label="Link">
        <input
          ref={field}
          autoFocus
          className={styles.field}
          aria-label="Link address"
          aria-invalid={refused || undefined}
          aria-describedby={refused ? id : undefined}
          placeholder="Paste or type an address"
          inputMode="url"
          autoComplete="off"
          value={input}
          onChange={(event) => {
            setInput(event.target.value);
            setRefused(false);
          }}
        />
        <Button type="submit" look="plain">
          {current === null ? "Link" : "Change"}
        </Button>
        {current !== null && (
          <Button icon look="quiet" aria-label="Remove link" onClick={remove}>
            <Icon of={Unlink} />
          </Button>
        )}
      </form>
      {refused && (
        <p id={id} className={styles.refused} role="alert">
          That can’t become a link. Use a web address, a mail address or a path on this site.
        </p>
      )}
    </Floating>
  );
}
