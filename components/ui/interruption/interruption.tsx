"use client";

import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";
import { returnFocus } from "@/components/ui/keyboard/focus-history";
import styles from "./interruption.module.css";

type Props = { title: string; description: ReactNode; children: ReactNode };

/**
 * Shows a dialog that opens without an action of the person, who may be typing. The dialog is
 * beside the page and does not take the focus, so keys meant for the text press none of its
 * buttons. Screen readers announce the dialog. F6 moves there and back.
 */
export function Interruption({ title, description, children }: Props) {
  const card = useRef<HTMLElement>(null);
  const id = useId();
  useEffect(() => {
    const element = card.current;
    const move = (event: KeyboardEvent) => {
      if (event.key !== "F6" || event.isComposing || !element) return;
      if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
      // Prevents the frame from moving to the next landmark.
      event.preventDefault();
      if (element.contains(document.activeElement)) returnFocus(element);
      else element.focus({ preventScroll: true });
    };
    addEventListener("keydown", move, { capture: true });
    return () => {
      removeEventListener("keydown", move, { capture: true });
      // If the dialog ends while its own button has the focus, the focus returns. Otherwise, the
      // focus does not move.
      if (document.activeElement === document.body) returnFocus();
    };
  }, []);
  return (
    <section
      ref={card}
      className={styles.card}
      role="dialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}description`}
      tabIndex={-1}
    >
      <div role="alert">
        <h2 className={styles.title} id={`${id}title`}>
          {title}
        </h2>
        <p className={styles.description} id={`${id}description`}>
          {description}
        </p>
        <p className="sr">Press F6 to go to this notice, and again to go back.</p>
      </div>
      {children}
    </section>
  );
}

/** Renders the row of buttons at the end of an interruption. */
export function InterruptionActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
