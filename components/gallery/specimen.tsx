import type { ReactNode } from "react";
import styles from "./gallery.module.css";

/** Groups the components of one kind under a heading. */
export function Kind({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.kind} aria-label={name}>
      <h2>{name}</h2>
      {children}
    </section>
  );
}

/** Shows one component in one state, or in several states side by side. */
export function Specimen({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.specimen}>
      <h3>{name}</h3>
      <div className={styles.states}>{children}</div>
    </div>
  );
}
