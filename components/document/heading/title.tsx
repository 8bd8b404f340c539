"use client";

import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { CompositionEvent, InputEvent, KeyboardEvent } from "react";
import { beforePageEnds } from "@/components/session/page-end";
import { escapedHtml } from "@/events/core/text/escaped-html";
import styles from "../document.module.css";
import { TitleDraft } from "../title-field/title-draft";
import type { TypedTitle } from "../title-field/title-draft";
import { asTitle, putWords, written } from "../title-field/title-words";

const pause = 700;

const titleId = "title";

type Props = {
  title: string;
  editable: boolean;
  /**
   * Returns and clears the title typed before the field could be written. Null if the caret does
   * not start in the title.
   */
  takeTyped: () => string | null;
  /** Moves the focus to the beginning of the text. */
  onText: () => void;
  /**
   * Called with the typed title when the person pauses or leaves the field. The promise settles
   * once the title is recorded or refused.
   */
  onRename: (typed: TypedTitle) => Promise<unknown> | null;
};

/**
 * Shows the title, which is edited in place and saved at a pause. A remote title that arrives
 * during typing is merged with the typed words.
 */
export function Title({ title, editable, takeTyped, onText, onRename }: Props) {
  const element = useRef<HTMLSpanElement>(null);
  // The server-rendered title is no textbox, because nothing handles its input yet.
  const heard = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [draft] = useState(() => new TitleDraft(title));
  // The title as first rendered. The browser edits this text, so later titles are set by hand.
  const [first] = useState(() => ({ __html: escapedHtml(title) }));
  const newest = useRef(title);
  const composing = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rename = useRef(onRename);
  useEffect(() => {
    rename.current = onRename;
  }, [onRename]);
  /** Shows the draft's words if the element has other words. */
  const show = useCallback(() => {
    const here = element.current;
    if (here === null || composing.current) return;
    if (written(here) !== asTitle(draft.words)) putWords(here, draft.words);
  }, [draft]);
  const arrive = useCallback(() => {
    draft.arrive(newest.current);
    show();
  }, [draft, show]);
  const save = useCallback(() => {
    clearTimeout(timer.current);
    const typed = draft.take();
    draft.kept.letGo(typed && rename.current(typed));
  }, [draft]);
  const pauseBegins = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(save, pause);
  }, [save]);
  // Runs before a newer title arrives, which would replace the typed title.
  useEffect(() => {
    const early = element.current && takeEarly(element.current, draft);
    if (early === null) return;
    composing.current = early.isComposing;
    show();
    pauseBegins();
  }, [draft, show, pauseBegins]);
  useEffect(() => {
    if (newest.current === title) return;
    newest.current = title;
    // Changing composed text would end the composition.
    if (!composing.current) arrive();
  }, [title, arrive]);
  useEffect(() => {
    const stop = beforePageEnds(save);
    // If the page is left right after the last letter, the title is still saved.
    return () => {
      stop();
      save();
    };
  }, [save]);
  const type = useCallback(
    (here: HTMLElement) => {
      draft.type(written(here));
      pauseBegins();
    },
    [draft, pauseBegins],
  );
  useEffect(() => {
    const typed = heard && editable ? takeTyped() : null;
    if (typed === null) return;
    selectTitle();
    const here = element.current;
    if (here === null || typed === "") return;
    here.textContent = typed;
    window.getSelection()?.selectAllChildren(here);
    window.getSelection()?.collapseToEnd();
    type(here);
  }, [heard, editable, takeTyped, type]);
  useEffect(() => {
    const here = element.current;
    // A native listener, because React's onBeforeInput is a different event. Before a letter is
    // typed, the listener removes text that a translator has inserted.
    here?.addEventListener("beforeinput", show);
    return () => here?.removeEventListener("beforeinput", show);
  }, [show]);
  const onInput = ({ currentTarget: here, nativeEvent }: InputEvent<HTMLSpanElement>) => {
    // Browsers leave a line break in an emptied field, which is not part of the title.
    if (here.textContent?.trim() === "") here.replaceChildren();
    type(here);
    // Text under composition is not saved, however long the composition takes.
    if ("isComposing" in nativeEvent && nativeEvent.isComposing) clearTimeout(timer.current);
  };
  const onCompositionEnd = ({ currentTarget: here }: CompositionEvent<HTMLSpanElement>) => {
    composing.current = false;
    type(here);
    arrive();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const plain = !event.shiftKey && !event.altKey && !event.ctrlKey && !event.metaKey;
    if (
      event.key === "Enter" ||
      (plain && event.key === "ArrowDown" && onLastLine(element.current))
    ) {
      event.preventDefault();
      save();
      onText();
    }
  };
  return (
    <h1 className={styles.title}>
      <span
        ref={element}
        id={titleId}
        {...(heard && { role: "textbox", "aria-label": "Title", tabIndex: 0 })}
        aria-readonly={heard && !editable ? true : undefined}
        contentEditable={heard && editable ? "plaintext-only" : undefined}
        suppressHydrationWarning
        spellCheck
        translate={editable ? "no" : undefined}
        data-placeholder="Untitled"
        onInput={onInput}
        onCompositionStart={() => (composing.current = true)}
        onCompositionEnd={onCompositionEnd}
        onBlur={save}
        onKeyDown={onKeyDown}
        dangerouslySetInnerHTML={first}
      />
    </h1>
  );
}

const never = () => () => {};

/** Applies the words typed before the field was ready. Returns null if there were none. */
function takeEarly(field: HTMLElement, draft: TitleDraft): { isComposing: boolean } | null {
  const early = window.earlyTitle?.take(field) ?? [];
  for (const { title, replaces, key } of early) {
    draft.typeOver(asTitle(replaces), asTitle(title));
    if (key !== null) draft.kept.take(key);
  }
  return early.length === 0 ? null : { isComposing: early.some((each) => each.isComposing) };
}

/** Whether the caret is on the last line of the title, which may wrap. */
function onLastLine(element: HTMLElement | null): boolean {
  const selection = window.getSelection();
  if (element === null || selection === null || !selection.isCollapsed) return false;
  if (selection.rangeCount === 0 || element.textContent === "") return true;
  const caret = selection.getRangeAt(0);
  const rest = document.createRange();
  rest.selectNodeContents(element);
  const last = [...rest.getClientRects()].at(-1);
  const [here] = caret.getClientRects();
  // At the end of the text, some browsers return no rectangle for a caret.
  rest.setStart(caret.endContainer, caret.endOffset);
  return (
    rest.toString() === "" || last === undefined || here === undefined || here.bottom > last.top + 1
  );
}

/** Selects the title, so that typing replaces it. */
function selectTitle(): void {
  const element = document.getElementById(titleId);
  if (element === null) return;
  element.focus();
  window.getSelection()?.selectAllChildren(element);
}

/** Moves the caret to the end of the title. */
export function focusTitle(): void {
  selectTitle();
  window.getSelection()?.collapseToEnd();
}
