import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import styles from "./banner.module.css";

type Props = {
  tone?: "plain" | "warn" | "bad";
  icon: LucideIcon;
  children: ReactNode;
  actions?: ReactNode;
  /** Goes with a status line that is shown as well: read out, but not a second status. */
  second?: boolean;
};

/** A sentence across its container that says what happened and what can be done; `bad` is announced at once. */
export function Banner({ tone = "plain", icon, children, actions, second = false }: Props) {
  return (
    <div
      className={classNames(styles.banner, styles[tone])}
      {...(second ? { "aria-live": "polite" } : { role: tone === "bad" ? "alert" : "status" })}
    >
      <Icon of={icon} className={styles.icon ?? ""} />
      <p>{children}</p>
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
