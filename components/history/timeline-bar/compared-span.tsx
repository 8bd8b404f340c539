import styles from "./compared-span.module.css";

/**
 * On the timeline bar: the revision that is compared with, and the time between it and the one
 * shown, as fractions of its width.
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
