"use client";

import { Avatar } from "@/components/ui/pictures/avatar";
import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./people-online.module.css";

/** Lists the people who are online, with their documents. The reader is last. */
export function PeopleOnline() {
  const { id, me, online, members, documents, rest } = useWorkspace(
    "id",
    "me",
    "online",
    "members",
    "documents",
    "rest",
  );
  const titles = new Map(
    documents.map(({ id, icon, title }) => [id, { icon, title: title || "Untitled" }]),
  );
  const others = online.filter(({ userId }) => userId !== me.userId);
  const count = rest?.members ?? members.length;
  return (
    <aside className={styles.people} aria-labelledby="people-online" data-landmark>
      <h2 id="people-online">People online</h2>
      <ul aria-label="People online">
        {others.map((person) => {
          const document = person.document === null ? undefined : titles.get(person.document);
          return (
            <li key={person.userId}>
              <Avatar
                name={person.name}
                color={person.color}
                picture={person.picture}
                idle={person.idle}
              />
              <span className={styles.words}>
                <b>{person.name}</b>
                {document !== undefined && (
                  <Link className="link" href={`/d/${person.document}`}>
                    <DocumentIcon emoji={document.icon} /> {document.title}
                  </Link>
                )}
                <small>
                  {person.idle ? "away" : document === undefined ? "here" : "in this document"}
                </small>
              </span>
            </li>
          );
        })}
        <li>
          <Avatar name={me.name} color={me.color} picture={me.picture} />
          <span className={styles.words}>
            <b>You</b>
            <small>here</small>
          </span>
        </li>
      </ul>
      <p className={styles.foot}>
        <Link className="link" href={`/w/${id}/members`}>
          {count === 1 ? "1 member" : `${count} members`}
        </Link>
      </p>
    </aside>
  );
}
