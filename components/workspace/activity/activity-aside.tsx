"use client";

import { FileText } from "lucide-react";
import { Avatar } from "@/components/ui/pictures/avatar";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { personClass } from "@/components/ui/pictures/palette";
import { useDocumentRow, useWorkspace } from "@/components/workspace-state/workspace-context";
import { numberWords } from "@/events/core/text/number-words";
import type { Summary } from "./activity-summary";
import styles from "./activity-aside.module.css";

const counted = (count: number, noun: string) =>
  `${numberWords(count)} ${noun}${count === 1 ? "" : "s"}`;
const [palest, darkest] = [4, 46];

/** Shows a summary of the filtered activity of the last seven days. */
export function ActivityAside({ summary }: { summary: Summary }) {
  const { me, people } = useWorkspace("me", "people");
  const { days, added, removed, documents, mostEdited } = summary;
  const busiest = Math.max(1, ...days.map(({ words }) => words));
  const most = Math.max(1, ...summary.people.map((person) => person.added));
  return (
    <aside className={styles.aside} aria-label="Summary">
      <section>
        <h2>The last seven days</h2>
        <ol className={styles.days}>
          {days.map(({ label, name, words }, at) => (
            <li key={at} aria-current={at === days.length - 1 ? "date" : undefined}>
              <i
                style={{ opacity: (palest + (darkest - palest) * (words / busiest)) / 100 }}
                aria-hidden
              />
              <span aria-hidden>{label}</span>
              <span className="sr">{`${name}: ${counted(words, "word")}`}</span>
            </li>
          ))}
        </ol>
        <p>
          {added + removed === 0
            ? "Nothing was written."
            : `${counted(added, "word")} added and ${numberWords(removed)} deleted in ` +
              `${counted(documents, "document")}.`}
        </p>
      </section>
      {summary.people.length > 0 && (
        <section>
          <h2>People</h2>
          <ul className={styles.people}>
            {summary.people.map(({ id, added: words }) => {
              const person = people.get(id) ?? { name: "Somebody", color: 10 };
              return (
                <li key={id} className={personClass(person.color)}>
                  <Avatar name={person.name} color={person.color} size="mini" />
                  <b>{id === me.userId ? "You" : <bdi>{person.name}</bdi>}</b>
                  <span>{counted(words, "word")} added</span>
                  <i aria-hidden>
                    <i style={{ inlineSize: `${(words / most) * 100}%` }} />
                  </i>
                </li>
              );
            })}
          </ul>
        </section>
      )}
      {mostEdited.length > 0 && (
        <section>
          <h2>Most edited</h2>
          <ul className={styles.documents}>
            {mostEdited.map(({ id, sessions }) => (
              <MostEdited key={id} id={id} sessions={sessions} />
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

function MostEdited({ id, sessions }: Summary["mostEdited"][number]) {
  const row = useDocumentRow(id);
  return (
    <li>
      <span aria-hidden>
        {row?.icon ? <DocumentIcon emoji={row.icon} /> : <Icon of={FileText} />}
      </span>
      <Link href={`/d/${id}`}>{row?.title || "Untitled"}</Link>
      <span>{counted(sessions, "session")}</span>
    </li>
  );
}
