"use client";

import type { Editor } from "@tiptap/core";
import { NodeSelection } from "@tiptap/pm/state";
import {
  AlignCenter,
  AlignLeft,
  AlignRight,
  Captions,
  ImageUp,
  Maximize2,
  MessageSquareText,
} from "lucide-react";
import { useState } from "react";
import type { FormEvent } from "react";
import { Floating } from "@/components/editor/toolbar/floating";
import type { Anchor } from "@/components/editor/toolbar/floating";
import formStyles from "@/components/editor/toolbar/link-form.module.css";
import { Toolbar } from "@/components/editor/toolbar/toolbar";
import type { Tool } from "@/components/editor/toolbar/toolbar";
import styles from "@/components/editor/toolbar/toolbar.module.css";
import { Button } from "@/components/ui/button";
import { imageAttributes } from "@/events/content/file-attributes";
import { askForFiles } from "./files";
import { openImage } from "./open-image";

const longest = 1_000;

function imageAnchor(editor: Editor): Anchor | null {
  const dom = editor.view.nodeDOM(editor.state.selection.from);
  return dom instanceof HTMLElement
    ? (dom.querySelector("div") ?? dom).getBoundingClientRect()
    : null;
}

type Words = "alt" | "caption";
const labels: Record<Words, string> = { alt: "Alt text", caption: "Caption" };

function change(editor: Editor, attributes: Record<string, unknown>): void {
  const { selection, tr } = editor.state;
  if (!(selection instanceof NodeSelection)) return;
  tr.setNodeMarkup(selection.from, null, { ...selection.node.attrs, ...attributes });
  editor.view.dispatch(tr.setSelection(NodeSelection.create(tr.doc, selection.from)));
}

/**
 * The toolbar of the selected image: alternative text, caption, replacement and alignment. A text
 * field replaces the toolbar while a text is edited.
 */
export function ImageToolbar({ editor, image }: { editor: Editor; image: NodeSelection }) {
  const [asked, setAsked] = useState<Words | null>(null);
  const { file, alt, caption, align } = imageAttributes(image.node.attrs);
  const known = { alt, caption };
  const leave = () => {
    setAsked(null);
    editor.commands.focus();
  };
  const aligned = (to: "left" | "center" | "right", icon: Tool["icon"]): Tool => ({
    id: to,
    label: `Align ${to}`,
    icon,
    pressed: align === to,
    apart: to === "left",
    run: () => change(editor, { align: to }),
  });
  const tools: Tool[] = [
    { id: "alt", label: "Alt text", icon: MessageSquareText, run: () => setAsked("alt") },
    { id: "caption", label: "Caption", icon: Captions, run: () => setAsked("caption") },
    {
      id: "replace",
      label: "Replace",
      icon: ImageUp,
      run: () => askForFiles(editor, "image", image.from),
    },
    { id: "open", label: "Open", icon: Maximize2, run: () => file && openImage(file, alt) },
    aligned("left", AlignLeft),
    aligned("center", AlignCenter),
    aligned("right", AlignRight),
  ];
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get("words");
    if (asked) change(editor, { [asked]: String(value ?? "").trim() });
    leave();
  };
  if (asked !== null)
    return (
      <Floating
        editor={editor}
        anchor={imageAnchor}
        side="above"
        className={formStyles.layer}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          leave();
        }}
      >
        <form
          className={formStyles.form}
          onSubmit={submit}
          role="dialog"
          aria-label={labels[asked]}
        >
          <input
            autoFocus
            name="words"
            className={formStyles.field}
            aria-label={labels[asked]}
            placeholder={asked === "alt" ? "What does the image show?" : "Words below the image"}
            maxLength={longest}
            defaultValue={known[asked]}
          />
          <Button type="submit" look="plain">
            Save
          </Button>
        </form>
      </Floating>
    );
  return (
    <Floating
      editor={editor}
      anchor={imageAnchor}
      side="above"
      className={styles.layer}
      data-toolbar="image"
    >
      <Toolbar label="Image" tools={tools} onLeave={leave} />
    </Floating>
  );
}
