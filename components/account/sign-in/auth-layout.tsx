import type { ReactNode } from "react";
import { BrandMark } from "@/components/ui/pictures/brand-mark";
import styles from "./auth-layout.module.css";

/**
 * Lays out the sign-in pages: the form beside the drawing of a palimpsest, whose earlier text is
 * turned by 90 degrees.
 */
export function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <div className={styles.split}>
      <div className={styles.leaf}>
        <p className={styles.under} aria-hidden="true">
          A page is scraped and written on again, because parchment is dear and the new text is
          wanted sooner. But ink goes deeper than the knife. Hold the leaf against the light and the
          first hand is still there, line after line, running crosswise under the second. So it was
          that a prayer book kept a treatise on floating bodies for seven hundred years, and nobody
          who prayed from it knew. We do not scrape. What you wrote on Monday stays beneath what you
          wrote on Tuesday, in order, with the hour and the name. You can turn the page a quarter
          and read it. You can let it run from the first letter and watch who came, who hesitated,
          who took a word back, and what stood there before. And if the earlier wording was the
          better one, it is not lost; you bring it up again, and even that is written down.
        </p>
        <div className={styles.over}>
          <p>
            Write over it. <del>What was there is gone.</del> What was there can still be read.
          </p>
          <p className={styles.by}>Palimpsest keeps every word, who wrote it, and when.</p>
        </div>
      </div>
      <main className={styles.layout}>
        <div className={styles.inner}>
          <div className={styles.brand}>
            <BrandMark size={22} />
            Palimpsest
          </div>
          {children}
        </div>
      </main>
    </div>
  );
}
