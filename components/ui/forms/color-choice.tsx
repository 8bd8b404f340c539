import { useId } from "react";
import { classNames } from "../class-names";
import { palette, personClass } from "../pictures/palette";
import styles from "./color-choice.module.css";

type Props = {
  label: string;
  name: string;
  /** A palette index, or null for the default colour. */
  value: number | null;
  given: number;
  onChange: (color: number | null) => void;
};

/** Offers the twelve colours of people, each labelled by name, and the default colour. */
export function ColorChoice({ label, name, value, given, onChange }: Props) {
  const id = useId();
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <div className={styles.swatches} role="radiogroup" aria-label={label}>
        <label className={classNames(styles.swatch, styles.given, personClass(given))}>
          <input
            type="radio"
            name={name}
            value=""
            checked={value === null}
            onChange={() => onChange(null)}
            aria-label="Automatic"
            id={`${id}-given`}
          />
          <span className={styles.face} aria-hidden>
            Automatic
          </span>
        </label>
        {palette.map((colour, index) => (
          <label
            key={colour}
            className={classNames(styles.swatch, personClass(index))}
            title={colour}
          >
            <input
              type="radio"
              name={name}
              value={index}
              checked={index === value}
              onChange={() => onChange(index)}
              aria-label={colour}
              id={`${id}-${index}`}
            />
            <span className={styles.face} aria-hidden />
          </label>
        ))}
      </div>
      <p className={styles.chosen}>
        {value === null
          ? "Chosen for you, different from everyone else’s in each workspace."
          : `${palette[value]}, in every workspace.`}
      </p>
    </fieldset>
  );
}
