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
   * Called when the menu has closed, before the focus returns to its trigger. Prevent the default
   * to move the focus elsewhere.
   */
  onClosed?: (event: Event) => void;
};

/** The props that a menu passes to its trigger. */
export type TriggerProps = {
  "aria-haspopup"?: "menu";
  "aria-expanded"?: boolean;
  onClick?: (event: MouseEvent) => void;
  onPointerEnter?: () => void;
  onFocus?: () => void;
};

/**
 * Focuses a trigger before its menu traps the focus. A trigger that has just replaced another has
 * no focus, and Radix prevents a press from focusing it. A dialog that an item opens gets the focus
 * before the menu can return it, and later returns it to the last focused element.
 */
const takeFocus = (trigger: HTMLElement | null) => trigger?.focus({ preventScroll: true });

/** Keeps the focus where an item has moved it. Otherwise, the trigger regains the focus. */
function afterClosing(event: Event): void {
  const holder = document.activeElement;
  if (holder !== null && holder !== document.body) event.preventDefault();
}

/** Renders the menu itself, open from the start. Its code loads on first use. */
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
  /** The id of the element that names and opened the menu. */
  labelledBy: string;
  children: ReactNode;
  onClose: () => void;
  /**
   * Called when the menu has closed, before the focus moves. Prevent the default to move it
   * elsewhere.
   */
  onClosed: (event: Event) => void;
  onKeyDown?: KeyboardEventHandler;
};

/** Renders a menu over its container that is open while mounted. */
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

/** Renders a submenu. */
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
  /** The shortcut of the same action, shown beside the label. */
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

/** Renders an action of a menu. */
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

/** Renders a menu item that is a link. Its child is one anchor or `Link` element. */
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

/** Renders menu items of which one is selected. */
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

/** Renders a menu item that is on or off. */
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

/** Renders a line between groups of a menu. */
export function MenuRule() {
  return <Radix.Separator className={styles.rule} />;
}

/** Renders the heading of a group in a menu. */
export function MenuHeading({ children }: { children: ReactNode }) {
  return <Radix.Label className={styles.heading}>{children}</Radix.Label>;
}
