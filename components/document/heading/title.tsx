"use client";

import {
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type CompositionEvent,
  type InputEvent,
  type KeyboardEvent,
} from "react";
import { beforePageEnds } from "@/components/session/page-end";
import { escapedHtml } from "@/events/core/text/escaped-html";
import styles from "../document.module.css";
import type { EarlyTitle } from "../title-field/early-title";
import { TitleDraft, type TypedTitle } from "../title-field/title-draft";
import { asTitle, putWords, written } from "../title-field/title-words";

const pause = 700;

/** The id of the title's textbox. */
const titleId = "title";

type Props = {
  title: string;
  editable: boolean;
  /**
   * What was typed for it before it was there, asked once it can be written; null where the caret
   * does not begin in it.
   */
  takeTyped: () => string | null;
  /** Leads to the beginning of the text. */
  onText: () => void;
  /** Called with what was typed when the writer pauses or leaves it. */
  onRename: (typed: TypedTitle) => void;
};

/**
 * The title: written in place, saved when the writer pauses, and live for others. A title that arrives while another
 * one is being typed is merged with it.
 */
export function Title({ title, editable, takeTyped, onText, onRename }: Props) {
  const element = useRef<HTMLSpanElement>(null);
  // The server's title is no textbox: nobody would hear what is written in it.
  const heard = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const [draft] = useState(() => new TitleDraft(title));
  // The title as first rendered; later ones are put in by hand, because the browser edits this text itself.
  const [first] = useState(() => ({ __html: escapedHtml(title) }));
  const newest = useRef(title);
  const composing = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rename = useRef(onRename);
  useEffect(() => {
    rename.current = onRename;
  }, [onRename]);
  /** Shows the words of the draft where the element holds others. */
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
    if (typed !== null) rename.current(typed);
  }, [draft]);
  const pauseBegins = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(save, pause);
  }, [save]);
  // Before a newer title arrives, which would stand over what was typed.
  useEffect(() => {
    const early = takeEarly(element.current, draft);
    if (early === null) return;
    composing.current = early.isComposing;
    show();
    pauseBegins();
  }, [draft, show, pauseBegins]);
  useEffect(() => {
    if (newest.current === title) return;
    newest.current = title;
    // Changing what is being composed would end the composition.
    if (!composing.current) arrive();
  }, [title, arrive]);
  useEffect(() => {
    const stop = beforePageEnds(save);
    // Whoever goes on right after the last letter, with the focus still here, has written it all the same.
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
    // React has no such event: its own comes from others. What a translator has put in the element goes before the
    // letter that is typed.
    here?.addEventListener("beforeinput", show);
    return () => here?.removeEventListener("beforeinput", show);
  }, [show]);
  const onInput = ({ currentTarget: here, nativeEvent }: InputEvent<HTMLSpanElement>) => {
    // Emptied by the keyboard, browsers leave a break behind, which is no title.
    if (here.textContent?.trim() === "") here.replaceChildren();
    type(here);
    // What is being composed is no word yet, however long its writer looks for the right one.
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

/** Puts into a draft what was typed in its field before the field was there. */
function takeEarly(field: HTMLElement | null, draft: TitleDraft): EarlyTitle | null {
  const early = (field && window.earlyTitle?.take(field)) ?? null;
  if (early !== null) draft.typeOver(asTitle(early.replaces), asTitle(early.title));
  return early;
}

/** Whether the caret stands on the last line of the title, however many it takes. */
function onLastLine(element: HTMLElement | null): boolean {
  const selection = window.getSelection();
  if (element === null || selection === null || !selection.isCollapsed) return false;
  if (selection.rangeCount === 0 || element.textContent === "") return true;
  const caret = selection.getRangeAt(0);
  const rest = document.createRange();
  rest.selectNodeContents(element);
  const last = [...rest.getClientRects()].at(-1);
  const [here] = caret.getClientRects();
  // At its very end some browsers have no rectangle for a caret.
  rest.setStart(caret.endContainer, caret.endOffset);
  return (
    rest.toString() === "" || last === undefined || here === undefined || here.bottom > last.top + 1
  );
}

/** Selects the title, so that what is typed takes its place. */
function selectTitle(): void {
  const element = document.getElementById(titleId);
  if (element === null) return;
  element.focus();
  window.getSelection()?.selectAllChildren(element);
}

/** Puts the caret at the end of the title. */
export function focusTitle(): void {
  selectTitle();
  window.getSelection()?.collapseToEnd();
}
