import type { LucideIcon } from "lucide-react";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import styles from "./status.module.css";

type Tone = "quiet" | "done" | "warn" | "bad";

type Props = {
  tone?: Tone;
  icon?: LucideIcon;
  label: string;
  sentence?: string | undefined;
  compact?: boolean;
};

/**
 * Shows a live status line: grey when all is well, otherwise with an icon and a sentence. On
 * phones, `compact` hides the words from all but screen readers.
 */
export function Status({ tone = "quiet", icon, label, sentence, compact = false }: Props) {
  return (
    <span
      role="status"
      className={classNames(styles.status, styles[tone], compact && styles.compact)}
      title={sentence}
    >
      {icon && <Icon of={icon} size={14} />}
      <span className={styles.label}>{label}</span>
      {sentence && <span className="sr"> {sentence}</span>}
    </span>
  );
}
