"use client";

import { useRowsBehind } from "@/components/workspace-state/window/rows-behind";
import { Button } from "@/components/ui/button";
import { versionsBehind } from "@/events/read-models/version-rows";
import type { VersionRow } from "@/events/read-models/version-rows";
import { Link } from "@/components/ui/link";
import type { Clock } from "@/components/ui/time/use-clock";
import { sinceWords } from "../heading/byline";
import styles from "./restricted-versions.module.css";

type Props = {
  document: string;
  /** The first page of named versions. */
  versions: readonly VersionRow[];
  shown: VersionRow | null;
  clock: Clock;
};

/** Switches between the current text and the named versions. */
export function RestrictedVersions({ document, versions: first, shown, clock }: Props) {
  const {
    shown: versions,
    showMore,
    list,
  } = useRowsBehind({
    first,
    readBehind: (rows, last) => versionsBehind(rows, document, last),
    failure: "The other versions are not shown",
    above: 1,
  });
  return (
    <section aria-labelledby="versions" className={styles.versions}>
      <h2 id="versions">Versions</h2>
      <ul ref={list} aria-label="Versions">
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
      {showMore && (
        <Button look="edge" aria-label="Show more versions" onClick={() => void showMore()}>
          Show more
        </Button>
      )}
    </section>
  );
}
