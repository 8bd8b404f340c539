"use client";

import { type ReactNode } from "react";
import { type Carriage } from "../../events/lineage/carriage";
import { type Change } from "../../events/comparison/comparison";
import { type Timeline } from "../../events/replay/timeline";
import { type Person } from "../presence/person";
import { Avatar } from "../ui/avatar";
import { Button } from "../ui/button";
import { Link } from "../ui/link";
import { changeWords, namesWords, startWords } from "./change-words";
import { momentStamp } from "./moment-choices";
import styles from "./compare.module.css";

type Props = {
  change: Change;
  timeline: Timeline;
  person: Pick<Person, "name" | "color">;
  names: string[];
  /** What brought the change from elsewhere; null where it was made here. */
  carriage: Carriage | null;
  onShow: (moment: number) => void;
  children?: ReactNode;
};

/** The change one stands at: who did what, when, and what can be done about it. */
export function ChangeCard({ change, timeline, person, names, carriage, onShow, children }: Props) {
  return (
    <div className={styles.card} role="group" aria-label="This change">
      <div className={styles.who}>
        <Avatar name={person.name} color={person.color} size="mini" />
        <b>{startWords(namesWords(names))}</b>
        <time>{momentStamp(timeline, change.moment)}</time>
      </div>
      <p role="status">{changeWords(change, startWords(namesWords(names) || "Somebody"))}</p>
      {carriage && (
        <p>
          Written elsewhere.{" "}
          <Link className="link" href={`/d/${carriage.source}?at=${carriage.version}`}>
            See the document as it was there
          </Link>
        </p>
      )}
      <div className={styles.acts}>
        <Button look="edge" onClick={() => onShow(change.moment)}>
          Show this moment
        </Button>
        {children}
      </div>
    </div>
  );
}
