import { useId } from 'react'
import { classNames } from './class-names'
import { palette, personClass } from './palette'
import styles from './color-choice.module.css'

type Props = { label: string; name: string; value: number; onChange: (color: number) => void }

/** A choice of one of the twelve colours of people, each said by its name. */
export function ColorChoice({ label, name, value, onChange }: Props) {
  const id = useId()
  return (
    <fieldset className={styles.choice}>
      <legend>{label}</legend>
      <div className={styles.swatches} role="radiogroup" aria-label={label}>
        {palette.map((colour, index) => (
          <label key={colour} className={classNames(styles.swatch, personClass(index))} title={colour}>
            <input type="radio" name={name} value={index} checked={index === value} onChange={() => onChange(index)} aria-label={colour} id={`${id}-${index}`} />
            <span aria-hidden />
          </label>
        ))}
      </div>
      <p className={styles.chosen}>{palette[value]}</p>
    </fieldset>
  )
}
