import styles from "./document-icon.module.css";

/**
 * Shows a document's icon before its title. Screen readers skip the icon, because the title
 * identifies the document.
 */
export function DocumentIcon({ emoji }: { emoji: string | null }) {
  if (emoji === null) return null;
  return (
    <span className={styles.icon} aria-hidden>
      {emoji}
    </span>
  );
}
