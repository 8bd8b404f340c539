"use client";

import * as Radix from "@radix-ui/react-dropdown-menu";
import { Check, ChevronRight } from "lucide-react";
import type { LucideIcon } from "lucide-react";
import type { KeyboardEventHandler, MouseEvent, ReactElement, ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import { isApple } from "./keyboard/apple";
import { shownKeys } from "./keyboard/keys";
import type { Keys } from "./keyboard/keys";
import styles from "./menu.module.css";

export type MenuProps = {
  trigger: ReactElement<TriggerProps>;
  children: ReactNode;
  align?: "start" | "center" | "end";
  label?: string;
  wide?: boolean;
  /**
   * Called when the menu has closed, before the focus returns to its trigger; prevent the default
   * to move it elsewhere.
   */
  onClosed?: (event: Event) => void;
};

/** The props that a menu gives its trigger. */
export type TriggerProps = {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: (event: MouseEvent) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
};

/**
 * Focuses a trigger before its menu takes the focus. A trigger that has just replaced another has
 * no focus, and Radix keeps a pressed one from taking it. A dialog opened by an item takes the
 * focus before the menu can return it, and later returns it to the last focused element.
 */
const takeFocus = (trigger: HTMLElement | null) => trigger?.focus({ preventScroll: true });

/** Keeps the focus where an item has moved it; otherwise the trigger takes it back. */
function afterClosing(event: Event): void {
  const holder = document.activeElement;
  if (holder !== null && holder !== document.body) event.preventDefault();
}

/** The menu itself, open from the start: its code loads on first use. */
export function OpenMenu({
  trigger,
  children,
  align = "start",
  label,
  wide = false,
  onClosed,
}: MenuProps) {
  return (
    <Radix.Root modal={false} defaultOpen>
      <Radix.Trigger
        asChild
        ref={takeFocus}
        onPointerDown={({ currentTarget }) => takeFocus(currentTarget)}
      >
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={classNames(styles.menu, wide && styles.wide)}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          loop
          {...(label && { "aria-label": label })}
          onCloseAutoFocus={(event) => {
            onClosed?.(event);
            if (!event.defaultPrevented) afterClosing(event);
          }}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type MenuAtProps = {
  /** The id of the element that names and opened it. */
  labelledBy: string;
  children: ReactNode;
  onClose: () => void;
  /**
   * Called when it has closed, before the focus moves; prevent the default to move it elsewhere.
   */
  onClosed: (event: Event) => void;
  onKeyDown?: KeyboardEventHandler;
};

/** A menu that is open while mounted, over its container. */
export function MenuAt({ labelledBy, children, onClose, onClosed, onKeyDown }: MenuAtProps) {
  return (
    <Radix.Root modal={false} open onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <span className={styles.anchor} aria-hidden tabIndex={-1} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          className={styles.menu}
          aria-labelledby={labelledBy}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          loop
          onCloseAutoFocus={onClosed}
          {...(onKeyDown && { onKeyDown })}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

type SubProps = { icon: LucideIcon; label: string; disabled?: boolean; children: ReactNode };

/** A submenu. */
export function MenuSub({ icon, label, disabled = false, children }: SubProps) {
  return (
    <Radix.Sub>
      <Radix.SubTrigger className={styles.item} disabled={disabled}>
        <Icon of={icon} />
        <span className={styles.words}>{label}</span>
        <Icon of={ChevronRight} />
      </Radix.SubTrigger>
      <Radix.Portal>
        <Radix.SubContent
          className={styles.menu}
          aria-label={label}
          sideOffset={6}
          alignOffset={-5}
          collisionPadding={8}
          loop
        >
          {children}
        </Radix.SubContent>
      </Radix.Portal>
    </Radix.Sub>
  );
}

export type ItemProps = {
  icon?: LucideIcon;
  /** The shortcut of the same action. */
  shortcut?: Keys;
  detail?: ReactNode;
  danger?: boolean;
  disabled?: boolean;
  onSelect?: (event: Event) => void;
  children: ReactNode;
};

function KeyHint({ keys }: { keys: Keys }) {
  const apple = isApple();
  return <kbd>{shownKeys(keys, apple).join(apple ? "" : " ")}</kbd>;
}

/** An action of a menu. */
export function MenuItem({
  icon,
  shortcut,
  detail,
  danger,
  disabled,
  onSelect,
  children,
}: ItemProps) {
  return (
    <Radix.Item
      className={classNames(styles.item, danger && styles.danger)}
      disabled={disabled ?? false}
      {...(onSelect && { onSelect })}
    >
      {icon && <Icon of={icon} />}
      <span className={styles.words}>
        {children}
        {detail && <small>{detail}</small>}
      </span>
      {shortcut && <KeyHint keys={shortcut} />}
    </Radix.Item>
  );
}

/** A menu item that is a link: its child is one anchor or `Link` element. */
export function MenuLink({ children }: { children: ReactElement }) {
  return (
    <Radix.Item className={styles.item} asChild>
      {children}
    </Radix.Item>
  );
}

export type ChoiceProps<Value extends string> = {
  value: Value;
  onChange: (value: Value) => void;
  options: readonly {
    value: Value;
    label: string;
    detail?: string;
    shortcut?: Keys;
    icon?: LucideIcon;
  }[];
};

/** Menu items of which one is selected. */
export function MenuChoice<Value extends string>({ value, onChange, options }: ChoiceProps<Value>) {
  const choose = (next: string) => {
    const option = options.find((candidate) => candidate.value === next);
    if (option) onChange(option.value);
  };
  return (
    <Radix.RadioGroup value={value} onValueChange={choose}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={styles.item}>
          {option.icon && <Icon of={option.icon} />}
          <span className={styles.words}>
            {option.label}
            {option.detail && <small>{option.detail}</small>}
          </span>
          {option.shortcut && <KeyHint keys={option.shortcut} />}
          <Radix.ItemIndicator>
            <Icon of={Check} />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export type CheckProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  icon?: LucideIcon;
  children: ReactNode;
};

/** A menu item that is on or off. */
export function MenuCheck({ checked, onChange, icon, children }: CheckProps) {
  return (
    <Radix.CheckboxItem className={styles.item} checked={checked} onCheckedChange={onChange}>
      {icon && <Icon of={icon} />}
      <span className={styles.words}>{children}</span>
      <Radix.ItemIndicator>
        <Icon of={Check} />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}

/** A line between groups of a menu. */
export function MenuRule() {
  return <Radix.Separator className={styles.rule} />;
}

/** The heading of a group in a menu. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.heading}>{children}</Radix.Label>;
}
