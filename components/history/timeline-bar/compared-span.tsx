import styles from "./compared-span.module.css";

/**
 * Marks the compared revision on the timeline bar, and the span between it and the shown revision.
 * Both are fractions of the width.
 */
export function ComparedSpan({ at, head }: { at: number; head: number }) {
  const percent = (fraction: number) => `${fraction * 100}%`;
  return (
    <div aria-hidden="true">
      <div
        className={styles.span}
        style={{ left: percent(Math.min(at, head)), width: percent(Math.abs(head - at)) }}
      />
      <div className={styles.handle} style={{ left: percent(at) }}>
        <span>{at <= head ? "A" : "B"}</span>
      </div>
    </div>
  );
}
