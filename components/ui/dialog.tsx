"use client";

import * as Radix from "@radix-ui/react-dialog";
import { X } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { buttonClass } from "./button";
import { classNames } from "./class-names";
import { returnFocus } from "./keyboard/focus-history";
import { Icon } from "./icon";
import { Scrim } from "./scrim";
import styles from "./dialog.module.css";

type Props = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Whether the dialog must be answered: no close button, no Escape, no outside click. */
  required?: boolean;
  /** `sheet` is at the side on wide screens. On phones, every dialog is a bottom sheet. */
  place?: "middle" | "wide" | "sheet" | "start";
} & Pick<ComponentProps<typeof Radix.Content>, "onOpenAutoFocus" | "onCloseAutoFocus">;

const stay = (event: Event) => event.preventDefault();

/** Focuses the first field, unless an on-screen keyboard would then cover the words above it. */
function beginInField(event: Event): void {
  const field =
    event.target instanceof Element && !matchMedia("(pointer: coarse)").matches
      ? event.target.querySelector("input:not([type=hidden], [type=file]), textarea")
      : null;
  if (!(field instanceof HTMLElement)) return;
  event.preventDefault();
  field.focus();
}

/** Leaves Escape to a field that handles it, such as one that renames in place. */
function leaveToField(event: KeyboardEvent): void {
  if (event.target instanceof Element && event.target.closest("[data-takes-escape]"))
    event.preventDefault();
}

/** Renders a modal layer with a title, which traps the focus and returns it on closing. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  required,
  place = "middle",
  onCloseAutoFocus,
  ...focus
}: Props) {
  const giveBack = (event: Event) => {
    onCloseAutoFocus?.(event);
    if (event.defaultPrevented) return;
    // Radix returns the focus to a trigger. These dialogs have none, because shortcuts, menus and
    // buttons open them.
    event.preventDefault();
    returnFocus();
  };
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Portal>
        <Scrim className={styles.scrim} />
        <Radix.Content
          className={classNames(styles.dialog, styles[place])}
          {...(description ? {} : { "aria-describedby": undefined })}
          onEscapeKeyDown={leaveToField}
          {...(required && {
            onEscapeKeyDown: stay,
            onPointerDownOutside: stay,
            onInteractOutside: stay,
          })}
          {...((place === "middle" || place === "wide") && { onOpenAutoFocus: beginInField })}
          {...focus}
          onCloseAutoFocus={giveBack}
        >
          <header className={styles.head}>
            <Radix.Title className={styles.title}>{title}</Radix.Title>
            {!required && (
              <Radix.Close
                className={buttonClass({ look: "quiet", icon: true })}
                aria-label="Close"
              >
                <Icon of={X} />
              </Radix.Close>
            )}
          </header>
          {description && (
            <Radix.Description className={styles.description}>{description}</Radix.Description>
          )}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Renders the row of buttons at the end of a dialog, the primary button last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
