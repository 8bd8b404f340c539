import styles from "./document-icon.module.css";

/**
 * A document's icon before its title. Screen readers skip it, because the title identifies the
 * document.
 */
export function DocumentIcon({ emoji }: { emoji: string | null }) {
  if (emoji === null) return null;
  return (
    <span className={styles.icon} aria-hidden>
      {emoji}
    </span>
  );
}
