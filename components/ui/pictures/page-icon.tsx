import { SmilePlus } from "lucide-react";
import { classNames } from "../class-names";
import { Icon } from "../icon";
import { personClass } from "./palette";
import styles from "./page-icon.module.css";

type Props = {
  emoji: string | null;
  /** Opens the icon dialog. Null if the reader may not change the icon. */
  onChange: (() => void) | null;
  /** The colour of the person who has just set the icon. */
  color?: number | null;
};

/** Shows the icon above a document's title, or a button that adds an icon. */
export function PageIcon({ emoji, onChange, color = null }: Props) {
  if (onChange !== null)
    return (
      <div className={styles.place}>
        {/* One button for both cases keeps the focus when the icon is added or removed. */}
        <button
          type="button"
          className={emoji === null ? styles.add : classNames(styles.icon, styles.change)}
          aria-label={emoji === null ? undefined : `Change icon ${emoji}`}
          aria-haspopup="dialog"
          onClick={onChange}
        >
          {emoji ?? (
            <>
              <Icon of={SmilePlus} /> Add icon
            </>
          )}
        </button>
      </div>
    );
  if (emoji === null) return null;
  return (
    <div className={styles.place}>
      <span
        className={classNames(
          styles.icon,
          color !== null && classNames(styles.fresh, personClass(color)),
        )}
        role="img"
        aria-label={`Icon ${emoji}`}
      >
        {emoji}
      </span>
    </div>
  );
}
