import { CircleAlert } from "lucide-react";
import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon } from "./icon";
import styles from "./field.module.css";

type Props = Omit<ComponentProps<"input">, "className"> & {
  label: string;
  help?: ReactNode;
  error?: string | null | undefined;
  /** Content at the end of the label's line, such as a link. */
  aside?: ReactNode;
  /** Content inside the input at its end, such as a button. */
  end?: ReactNode;
};

/** Renders a labelled input with help or an error below. The error is announced with the input. */
export function Field({ label, help, error, aside, end, id, ...input }: Props) {
  const own = useId();
  const field = id ?? own;
  const note = `${field}-note`;
  return (
    <div className={styles.field}>
      <div className={styles.head}>
        <label htmlFor={field}>{label}</label>
        {aside}
      </div>
      <div className={styles.box}>
        <input
          {...input}
          id={field}
          className={classNames(styles.input, Boolean(end) && styles.ended)}
          aria-invalid={error ? true : undefined}
          aria-describedby={error || help ? note : undefined}
        />
        {end && <span className={styles.end}>{end}</span>}
      </div>
      {error ? (
        <p id={note} className={styles.error} role="alert">
          <Icon of={CircleAlert} />
          {error}
        </p>
      ) : (
        help && (
          <p id={note} className={styles.help}>
            {help}
          </p>
        )
      )}
    </div>
  );
}
