import type { ComponentProps } from "react";
import { classNames } from "./class-names";
import styles from "./button.module.css";

type ButtonLook = "primary" | "edge" | "plain" | "quiet" | "danger";

type Look = { look?: ButtonLook; wide?: boolean; icon?: boolean; className?: string | undefined };

/** Returns the classes of a button, for links and Radix triggers that look like buttons. */
export function buttonClass({ look = "plain", wide, icon, className }: Look = {}): string {
  return classNames(
    styles.button,
    styles[look],
    wide && styles.wide,
    icon && styles.icon,
    className,
  );
}

type Props = ComponentProps<"button"> & Look & { busy?: boolean | undefined };

/**
 * Renders a button. `primary` is the main action (one in a view), `edge` a secondary action, and
 * `plain` and `quiet` are the others. `icon` needs an aria-label. `busy` keeps the focus.
 */
export function Button({
  look,
  wide,
  icon,
  busy,
  className,
  type = "button",
  onClick,
  ...rest
}: Props) {
  return (
    <button
      {...rest}
      type={type}
      className={buttonClass({
        ...(look && { look }),
        ...(wide && { wide }),
        ...(icon && { icon }),
        className,
      })}
      aria-disabled={busy || rest["aria-disabled"]}
      data-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    />
  );
}
