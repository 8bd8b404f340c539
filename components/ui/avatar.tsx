import { classNames } from "./class-names";
import { initials } from "./initials";
import { personClass } from "./palette";
import styles from "./avatar.module.css";

type Props = {
  name: string;
  color: number;
  size?: "mini" | "small" | "medium" | "large";
  idle?: boolean;
  /** Where no text beside it says the name. */
  labelled?: boolean;
};

/** A person as initials on their colour; decoration unless `labelled`. */
export function Avatar({ name, color, size = "medium", idle = false, labelled = false }: Props) {
  const letters = initials(name);
  return (
    <span
      className={classNames(styles.avatar, styles[size], personClass(color), idle && styles.idle)}
      // In a row whose name is given, letters beside its words would count as words that the name lacks.
      data-letter={size === "mini" ? Array.from(letters)[0] : undefined}
      {...(labelled ? { role: "img", "aria-label": name } : { "aria-hidden": true })}
    >
      {size === "mini" ? null : letters}
    </span>
  );
}
