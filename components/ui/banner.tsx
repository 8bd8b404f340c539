import { X } from "lucide-react";
import type { LucideIcon } from "lucide-react";
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
  /** Adds a dismiss button at the end of the first line. */
  onDismiss?: () => void;
  /** Whether the banner accompanies a status line. Such a banner is announced but is no status. */
  second?: boolean;
};

/**
 * Shows a sentence across its container that says what happened and what to do. The tone `bad` is
 * announced at once.
 */
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
