"use client";

import type { LucideIcon } from "lucide-react";
import { useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { isApple } from "@/components/ui/keyboard/apple";
import { shownKeys } from "@/components/ui/keyboard/keys";
import type { Keys } from "@/components/ui/keyboard/keys";
import styles from "./toolbar.module.css";

/** A control of a toolbar. `pressed` is set for a toggle. */
export type Tool = {
  id: string;
  label: string;
  icon: LucideIcon;
  keys?: Keys;
  pressed?: boolean;
  disabled?: boolean;
  apart?: boolean;
  run: () => void;
};

type Props = { label: string; tools: Tool[]; onLeave: () => void };

/** A toolbar with one tab stop. Arrows, Home and End move within it; Escape leaves to the text. */
export function Toolbar({ label, tools, onLeave }: Props) {
  const [current, setCurrent] = useState(0);
  const bar = useRef<HTMLDivElement>(null);
  const stop = Math.min(current, tools.length - 1);
  const move = (to: number) => {
    const index = (to + tools.length) % tools.length;
    setCurrent(index);
    bar.current?.querySelectorAll("button")[index]?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: stop + 1, ArrowLeft: stop - 1, Home: 0, End: tools.length - 1 }[
      event.key
    ];
    if (event.key === "Escape") onLeave();
    else if (to !== undefined) move(to);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div ref={bar} role="toolbar" aria-label={label} className={styles.bar} onKeyDown={onKeyDown}>
      {tools.map((tool, index) => (
        <button
          key={tool.id}
          type="button"
          className={classNames(styles.tool, tool.apart && styles.apart)}
          title={
            tool.keys ? `${tool.label} (${shownKeys(tool.keys, isApple()).join(" ")})` : tool.label
          }
          aria-label={tool.label}
          aria-pressed={tool.pressed}
          aria-disabled={tool.disabled === true || undefined}
          tabIndex={index === stop ? 0 : -1}
          // The press must not move focus and selection out of the text.
          onPointerDown={(event) => event.preventDefault()}
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setCurrent(index)}
          onClick={() => tool.disabled !== true && tool.run()}
        >
          <Icon of={tool.icon} />
        </button>
      ))}
    </div>
  );
}
