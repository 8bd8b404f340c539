"use client";

import { Command } from "cmdk";
import { CornerDownLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "@/components/ui/icon";
import type { Found, Piece } from "./fuzzy";
import styles from "./palette.module.css";

/** Renders a group of suggestions, or nothing if the group is empty. */
export function Group<T>({
  name,
  of,
  children,
}: {
  name: string;
  of: readonly Found<T>[];
  children: (found: Found<T>) => ReactNode;
}) {
  return of.length > 0 && <Command.Group heading={name}>{of.map(children)}</Command.Group>;
}

type RowProps = {
  /** The unique value of the row. */
  value: string;
  icon: ReactNode;
  pieces: readonly Piece[];
  detail?: string | null;
  keys?: readonly string[];
  onSelect: () => void;
};

/** Renders a suggestion: its icon, its text with the matches in bold, and its shortcut. */
export function Row({ value, icon, pieces, detail, keys, onSelect }: RowProps) {
  return (
    <Command.Item value={value} onSelect={onSelect} className={styles.row}>
      <span className={styles.icon} aria-hidden>
        {icon}
      </span>
      <span className={styles.name}>
        {pieces.map(({ text, found }, at) => (found ? <b key={at}>{text}</b> : text))}
      </span>
      {detail && <span className={styles.detail}>{detail}</span>}
      <span className={styles.grow} />
      {keys && keys.length > 0 && <kbd>{keys.join(" ")}</kbd>}
      {!keys && <Icon of={CornerDownLeft} size={14} />}
    </Command.Item>
  );
}

/** Shows the palette's own keys to sighted readers. Screen readers announce their own keys. */
export function Footer({ search }: { search: readonly string[] }) {
  return (
    <div className={styles.foot} aria-hidden>
      <span>
        <kbd>↑ ↓</kbd> Choose
      </span>
      <span>
        <kbd>↵</kbd> Open
      </span>
      <span>
        <kbd>{search.join(" ")}</kbd> Search all documents
      </span>
      <span className={styles.grow} />
      <span>
        <kbd>Esc</kbd> Close
      </span>
    </div>
  );
}
