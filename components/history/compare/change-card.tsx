"use client";

import type { ReactNode } from "react";
import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import type { Change } from "@/events/analysis/comparison/comparison";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { changeWords, namesWords, startWords } from "@/components/history/words/change-words";
import { revisionStamp } from "@/components/history/words/revision-choices";
import styles from "./compare.module.css";

type Props = {
  change: Change;
  timeline: Timeline;
  person: Pick<Person, "name" | "color">;
  names: string[];
  /** The copy-in of an imported change, or null for a local change. */
  copyIn: CopyIn | null;
  onShow: (revision: number) => void;
  children?: ReactNode;
};

/** Shows the current change: its authors, time and actions. */
export function ChangeCard({ change, timeline, person, names, copyIn, onShow, children }: Props) {
  return (
    <div className={styles.card} role="group" aria-label="This change">
      <div className={styles.who}>
        <Avatar name={person.name} color={person.color} size="mini" />
        <b>{startWords(namesWords(names))}</b>
        <time>{revisionStamp(timeline, change.revision)}</time>
      </div>
      <p role="status">{changeWords(change, startWords(namesWords(names) || "Somebody"))}</p>
      {copyIn && (
        <p>
          Written elsewhere.{" "}
          <Link className="link" href={`/d/${copyIn.source}?at=${copyIn.version}`}>
            See the document as it was there
          </Link>
        </p>
      )}
      <div className={styles.acts}>
        <Button look="edge" onClick={() => onShow(change.revision)}>
          Show this moment
        </Button>
        {children}
      </div>
    </div>
  );
}
