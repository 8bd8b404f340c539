"use client";

import { memo, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent } from "react";
import { Button } from "@/components/ui/button";
import { Dialog, DialogActions } from "@/components/ui/dialog";
import { Field } from "@/components/ui/field";
import { searchEmoji } from "./emoji-groups";
import type { EmojiGroup } from "./emoji-groups";
import { emojiToward } from "./emoji-keys";
import styles from "./icon-dialog.module.css";

type Props = {
  icon: string | null;
  onIcon: (emoji: string | null) => void;
  onClose: () => void;
};

/** Lets the reader choose a document's icon, by group, by name, or with the arrow keys. */
export function IconDialog({ icon, onIcon, onClose }: Props) {
  const [query, setQuery] = useState("");
  // Synchronous, because a list that renders late would steal the focus from another element.
  const groups = useMemo(() => searchEmoji(query), [query]);
  const count = groups.reduce((sum, { emoji }) => sum + emoji.length, 0);
  const [reached, setReached] = useState<string | null>(icon);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const isShown = groups.some((group) => group.emoji.some(({ emoji }) => emoji === reached));
  const stop = isShown ? reached : (groups[0]?.emoji[0]?.emoji ?? null);
  const choose = (emoji: string | null) => {
    if (emoji !== icon) onIcon(emoji);
    onClose();
  };
  const buttons = () => [...(list.current?.querySelectorAll("button") ?? [])];
  const onFieldKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const first = groups[0]?.emoji[0];
    if (event.key === "Enter" && query.trim() !== "" && first) choose(first.emoji);
    else if (event.key === "ArrowDown")
      buttons()
        .find(({ tabIndex }) => tabIndex === 0)
        ?.focus();
    else return;
    event.preventDefault();
  };
  const onListKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const all = buttons();
    const here = all.findIndex((button) => button === document.activeElement);
    if (here < 0) return;
    const next = emojiToward(event.key, here, () =>
      all.map((each) => each.getBoundingClientRect()),
    );
    if (next === null) {
      // Typing in the list continues the search.
      if (event.key.length === 1 && event.key !== " ") field.current?.focus();
      return;
    }
    event.preventDefault();
    if (next === "above") field.current?.focus();
    else all[next]?.focus();
  };
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Icon">
      <Field
        ref={field}
        label="Search emoji by name"
        enterKeyHint="done"
        autoComplete="off"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={onFieldKey}
      />
      <p className="sr" role="status">
        {count === 1 ? "1 emoji" : `${count} emoji`}
      </p>
      {/* The list is no tab stop. Its buttons are tab stops, and they scroll the list. */}
      <div ref={list} className={styles.list} onKeyDown={onListKey} tabIndex={-1}>
        {groups.map((group) => (
          <Group
            key={group.name}
            group={group}
            chosen={group.emoji.some(({ emoji }) => emoji === icon) ? icon : null}
            stop={group.emoji.some(({ emoji }) => emoji === stop) ? stop : null}
            onReach={setReached}
            onChoose={choose}
          />
        ))}
        {count === 0 && <p className={styles.none}>No results</p>}
      </div>
      {icon !== null && (
        <DialogActions>
          <Button look="edge" onClick={() => choose(null)}>
            Remove icon
          </Button>
        </DialogActions>
      )}
    </Dialog>
  );
}

type GroupProps = {
  group: EmojiGroup;
  /** The document's icon and the tab stop, if they are in this group. */
  chosen: string | null;
  stop: string | null;
  onReach: (emoji: string) => void;
  onChoose: (emoji: string) => void;
};

/** Renders one group of emoji. The whole list has one tab stop. */
const Group = memo(function Group({ group, chosen, stop, onReach, onChoose }: GroupProps) {
  const heading = useId();
  return (
    <div role="group" aria-labelledby={heading}>
      <h3 id={heading} className={styles.heading}>
        {group.name}
      </h3>
      <div className={styles.grid}>
        {group.emoji.map(({ emoji, name }) => (
          <button
            key={emoji}
            type="button"
            className={styles.emoji}
            aria-label={name}
            aria-pressed={emoji === chosen}
            title={name}
            tabIndex={emoji === stop ? 0 : -1}
            onFocus={() => onReach(emoji)}
            onClick={() => onChoose(emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
    </div>
  );
});
