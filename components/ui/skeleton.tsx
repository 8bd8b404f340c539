import styles from "./skeleton.module.css";

/** Shows placeholder lines for loading text after a delay of 200 ms. */
export function Skeleton({ lines = 3, label = "Loading" }: { lines?: number; label?: string }) {
  return (
    <div className={styles.skeleton} role="status">
      <span className="sr">{label}</span>
      {Array.from({ length: lines }, (_, line) => (
        <i key={line} aria-hidden />
      ))}
    </div>
  );
}
