import styles from "./activity-strip.module.css";

const width = 150;
const height = 22;
const step = width / 30;

type Props = {
  bars: readonly number[];
  /**
   * The last version in each bar. `seen` is the version up to which the document was read, or null
   * if it was read completely.
   */
  versions: readonly number[];
  seen: number | null;
};

/**
 * Draws the recent activity of a document as thirty bars, with unread changes in rubric.
 * Decorative, because the words beside the strip give the same information.
 */
export function ActivityStrip({ bars, versions, seen }: Props) {
  if (bars.length === 0) return <span aria-hidden />;
  const drawn = { read: "", unread: "" };
  bars.forEach((bar, at) => {
    const tall = Math.max(1, Math.round(bar * (height - 2) * 10) / 10);
    const isUnread = seen !== null && (versions[at] ?? 0) > seen;
    drawn[isUnread ? "unread" : "read"] +=
      `M${Math.round(at * step * 10) / 10} ${height}v-${tall}h3.4v${tall}z`;
  });
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMax meet"
      aria-hidden
      focusable="false"
    >
      <path d={drawn.read} />
      {drawn.unread !== "" && <path className={styles.unread} d={drawn.unread} />}
    </svg>
  );
}
