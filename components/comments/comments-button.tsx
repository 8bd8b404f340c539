"use client";

import { MessageSquare } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import styles from "./comments-button.module.css";

type Props = {
  shown: boolean;
  fresh: number;
  className?: string | undefined;
  onToggle: () => void;
};

/** Toggles the comments. A dot marks new comments while they are hidden. */
export function CommentsButton({ shown, fresh: unseen, className, onToggle }: Props) {
  const fresh = shown ? 0 : unseen;
  return (
    <Button
      look="quiet"
      aria-label="Comments"
      aria-pressed={shown}
      aria-describedby={fresh > 0 ? "fresh-comments" : undefined}
      className={styles.button}
      onClick={onToggle}
    >
      <Icon of={MessageSquare} />
      <span className={className}>Comments</span>
      {fresh > 0 && (
        <span className={styles.dot}>
          <span id="fresh-comments" className="sr">
            {fresh === 1 ? "1 new comment" : `${fresh} new comments`}
          </span>
        </span>
      )}
    </Button>
  );
}
