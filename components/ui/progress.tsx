import styles from "./progress.module.css";

type Props = {
  label: string;
  /** The progress, or null if it is unknown. */ value: number | null;
  most: number;
  words: string;
};

/** Shows the progress of a long task as a bar and in words. */
export function Progress({ label, value, most, words }: Props) {
  return (
    <div className={styles.progress}>
      <progress aria-label={label} {...(value !== null && { value })} max={Math.max(1, most)} />
      <p>{words}</p>
    </div>
  );
}
