import type { FileRoom } from "@/events/read-models/file-room";
import { usageWords } from "./usage-words";
import styles from "./members-page.module.css";

/** Shows the used share of a workspace's file storage, as a bar and in words. */
export function FileUsage({ room }: { room: FileRoom }) {
  const { used, advice } = usageWords(room);
  const { bytes, most } = room;
  return (
    <section aria-labelledby="file-usage">
      <h2 id="file-usage" className={styles.heading}>
        Storage
      </h2>
      <div className={styles.usage}>
        <b>{used}</b>
        <div
          role="meter"
          className={bytes < most * 0.9 ? styles.bar : styles.full}
          aria-label="Storage used"
          aria-valuemin={0}
          aria-valuemax={most}
          aria-valuenow={Math.min(bytes, most)}
          aria-valuetext={used}
        >
          <svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden>
            <rect width={Math.min(1, bytes / most)} height={1} />
          </svg>
        </div>
        <small>{advice}</small>
      </div>
    </section>
  );
}
