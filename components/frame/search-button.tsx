"use client";

import { Search } from "lucide-react";
import { setLayer } from "@/components/commands/open-layer";
import { Icon } from "@/components/ui/icon";
import { useApple } from "@/components/ui/keyboard/apple";
import styles from "./search-button.module.css";

type Props = { /** Called before the palette opens. */ onOpen: (() => void) | undefined };

/** Opens the palette. The button looks like a search field and shows the shortcut. */
export function SearchButton({ onOpen }: Props) {
  const apple = useApple();
  const open = () => {
    onOpen?.();
    setLayer("palette");
  };
  return (
    <button
      type="button"
      className={styles.search}
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onClick={open}
    >
      <Icon of={Search} size={14} />
      <span>Search</span>
      <kbd aria-hidden>{apple ? "⌘K" : "Ctrl K"}</kbd>
    </button>
  );
}
