"use client";

import { memo } from "react";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import type { AuthorRow } from "./author-rows";
import styles from "./timeline-bar.module.css";

/** Shows the names of the author rows. */
export const AuthorRowNames = memo(function AuthorRowNames({
  authorRows,
  authors,
}: {
  authorRows: readonly AuthorRow[];
  authors: readonly Person[];
}) {
  const others = authors.length - authorRows.length + 1;
  return (
    <ul className={styles.names} aria-label="Lanes">
      {authorRows.map(({ author }) => {
        const person = author === null ? null : authors[author];
        return (
          <li key={author ?? "others"}>
            {person ? (
              <Avatar name={person.name} color={person.color} size="mini" />
            ) : (
              <span className={styles.others} aria-hidden />
            )}
            <span>{person ? firstName(person) : `${others} others`}</span>
          </li>
        );
      })}
    </ul>
  );
});
