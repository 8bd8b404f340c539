import { type LucideIcon, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import styles from "./banner.module.css";

type Props = {
  tone?: "plain" | "warn" | "bad";
  icon: LucideIcon;
  children: ReactNode;
  actions?: ReactNode;
  /** Offers to put it away, at the end of its first line. */
  onDismiss?: () => void;
  /** Goes with a status line that is shown as well: read out, but not a second status. */
  second?: boolean;
};

/** A sentence across its container that says what happened and what can be done; `bad` is announced at once. */
export function Banner({
  tone = "plain",
  icon,
  children,
  actions,
  onDismiss,
  second = false,
}: Props) {
  return (
    <div
      className={classNames(styles.banner, styles[tone], onDismiss && styles.dismissible)}
      {...(second ? { "aria-live": "polite" } : { role: tone === "bad" ? "alert" : "status" })}
    >
      <Icon of={icon} className={styles.icon ?? ""} />
      <p>{children}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
      {onDismiss && (
        <Button look="quiet" icon aria-label="Dismiss" onClick={onDismiss}>
          <Icon of={X} />
        </Button>
      )}
    </div>
  );
}
