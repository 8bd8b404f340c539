import styles from "./activity-strip.module.css";

const width = 150;
const height = 18;
const step = width / 30;

/** How busily a document was written lately: thirty bars; an ornament, since the words beside it say what happened. */
export function ActivityStrip({ bars }: { bars: readonly number[] }) {
  if (bars.length === 0) return null;
  const drawn = bars
    .map((bar, at) => {
      const tall = Math.max(1, Math.round(bar * (height - 2) * 10) / 10);
      return `M${Math.round(at * step * 10) / 10} ${height}v-${tall}h3.4v${tall}z`;
    })
    .join("");
  return (
    <svg
      className={styles.strip}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="xMaxYMax meet"
      aria-hidden
      focusable="false"
    >
      <path d={drawn} />
    </svg>
  );
}
