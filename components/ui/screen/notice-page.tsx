import type { ReactNode } from "react";
import { BrandMark } from "../pictures/brand-mark";
import styles from "./notice-page.module.css";

type Props = { title: string; children: ReactNode; actions?: ReactNode; details?: ReactNode };

/** Shows a single message as a page: what happened, what it means, and what to do. */
export function NoticePage({ title, children, actions, details }: Props) {
  return (
    <main className={styles.page} id="main">
      <div className={styles.inner}>
        <BrandMark size={22} />
        <h1>{title}</h1>
        <p>{children}</p>
        {actions && <div className={styles.actions}>{actions}</div>}
        {details}
      </div>
    </main>
  );
}
