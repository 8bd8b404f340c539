import styles from "./document-icon.module.css";

/** The icon of a document before its title. The title says which document it is, so a screen reader passes over it. */
export function DocumentIcon({ emoji }: { emoji: string | null }) {
  if (emoji === null) return null;
  return (
    <span className={styles.icon} aria-hidden>
      {emoji}
    </span>
  );
}
