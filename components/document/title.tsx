"use client";

import {
  memo,
  useCallback,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type InputEvent,
  type KeyboardEvent,
} from "react";
import { longestTitle } from "@/events/core/text-lengths";
import { firstCodePoints } from "@/events/core/code-points";
import { normalizedName } from "@/events/core/visible-text";
import { beforePageEnds } from "@/components/session/page-end";
import styles from "./document.module.css";

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
  /** Called with the new title when the writer pauses or leaves it. */
  onRename: (title: string) => void;
};

/** The title: written in place, saved when the writer pauses, and live for others while nobody here is writing it. */
export function Title({ title, editable, takeTyped, onText, onRename }: Props) {
  const element = useRef<HTMLSpanElement>(null);
  // The server's title is no textbox: nobody would hear what is written in it.
  const heard = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  const saved = useRef(title);
  /** What was written last and is not saved. */
  const unsaved = useRef<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const rename = useRef(onRename);
  useEffect(() => {
    rename.current = onRename;
  }, [onRename]);
  useEffect(() => {
    const here = element.current;
    if (here === null) return;
    const untouched = written(here) === saved.current;
    saved.current = title;
    // What somebody is in the middle of writing is theirs until they leave it.
    if (untouched && written(here) !== title) here.textContent = title;
  }, [title]);
  const save = useCallback(() => {
    clearTimeout(timer.current);
    const here = element.current;
    if (here !== null) unsaved.current = written(here);
    const newTitle = unsaved.current;
    unsaved.current = null;
    if (newTitle === null || newTitle === saved.current) return;
    saved.current = newTitle;
    rename.current(newTitle);
  }, []);
  useEffect(() => {
    const stop = beforePageEnds(save);
    // Whoever goes on right after the last letter, with the focus still here, has written it all the same.
    return () => {
      stop();
      save();
    };
  }, [save]);
  const pauseBegins = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(save, pause);
  }, [save]);
  useEffect(() => {
    const typed = heard && editable ? takeTyped() : null;
    if (typed === null) return;
    selectTitle();
    const here = element.current;
    if (here === null || typed === "") return;
    here.textContent = typed;
    unsaved.current = written(here);
    window.getSelection()?.selectAllChildren(here);
    window.getSelection()?.collapseToEnd();
    pauseBegins();
  }, [heard, editable, takeTyped, pauseBegins]);
  const onInput = ({ nativeEvent }: InputEvent<HTMLSpanElement>) => {
    const here = element.current;
    // Emptied by the keyboard, browsers leave a break behind, which is no title.
    if (here !== null && here.textContent?.trim() === "") here.replaceChildren();
    if (here !== null) unsaved.current = written(here);
    clearTimeout(timer.current);
    // What is being composed is no word yet, however long its writer looks for the right one.
    if (!("isComposing" in nativeEvent && nativeEvent.isComposing)) pauseBegins();
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
        suppressContentEditableWarning
        spellCheck
        data-placeholder="Untitled"
        onInput={onInput}
        onCompositionEnd={pauseBegins}
        onBlur={save}
        onKeyDown={onKeyDown}
      >
        <FirstTitle title={title} />
      </span>
    </h1>
  );
}

const never = () => () => {};

/** The title as first rendered; later ones are put in by hand, because the browser edits this text itself. */
const FirstTitle = memo(
  function FirstTitle({ title }: { title: string }) {
    const [first] = useState(title);
    return first;
  },
  () => true,
);

function written(element: HTMLElement): string {
  return firstCodePoints(
    normalizedName((element.textContent ?? "").replace(/\s+/gu, " ")),
    longestTitle,
  );
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
