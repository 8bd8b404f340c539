import styles from "./text.module.css";

/** A text as static HTML, for people with read-only access. */
export function StaticText({ html }: { html: string }) {
  return (
    <div
      id="text"
      role="group"
      aria-label="Document text"
      data-readonly=""
      tabIndex={0}
      className={styles.text}
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
}
