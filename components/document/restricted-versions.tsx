import type { VersionRow } from "@/events/read-models/version-rows";
import { Link } from "@/components/ui/link";
import type { Clock } from "@/components/ui/use-clock";
import { sinceWords } from "./byline";
import styles from "./restricted-versions.module.css";

type Props = {
  document: string;
  versions: readonly VersionRow[];
  shown: VersionRow | null;
  clock: Clock;
};

/** The way between the present and the versions that somebody gave a name. */
export function RestrictedVersions({ document, versions, shown, clock }: Props) {
  return (
    <section aria-labelledby="versions" className={styles.versions}>
      <h2 id="versions">Versions</h2>
      <ul aria-label="Versions">
        <li>
          <Link
            href={`/d/${document}`}
            aria-current={shown === null ? "page" : undefined}
            scroll={false}
          >
            The present
          </Link>
        </li>
        {versions.map(({ id, at, name, createdAt }) => (
          <li key={id}>
            <Link
              href={`/d/${document}?version=${at}`}
              aria-current={shown?.id === id ? "page" : undefined}
              scroll={false}
            >
              {name}
            </Link>
            <small suppressHydrationWarning>{sinceWords(createdAt, clock)}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}
