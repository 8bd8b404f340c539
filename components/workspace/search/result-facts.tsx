"use client";

import { Bookmark, Eraser, Link2, MessageSquare, PenLine } from "lucide-react";
import { Avatar } from "@/components/ui/pictures/avatar";
import { dateTimeOf } from "@/components/ui/time/day-words";
import { Icon } from "@/components/ui/icon";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { isolated } from "@/events/core/text/isolated";
import { firstName } from "@/events/read-models/person";
import type { SearchResult as Result } from "@/events/read-models/search";
import { writerWords } from "./writer-words";
import { useFoundDocument } from "./found-documents";
import styles from "./search.module.css";

const wrote = { text: "wrote this", comment: "said this in a comment", title: "gave this title" };
const was = { text: "written by", comment: "said in a comment by", title: "a title by" };
const list = new Intl.ListFormat("en-GB");
const ended = { text: "Changed", comment: "Changed", title: "Renamed" };

/** Shows the target of a found link. */
function LinkFacts({ target }: { target: string | undefined }) {
  const row = useFoundDocument(target ?? "");
  return (
    <p className={styles.facts}>
      <Icon of={Link2} size={14} />
      <span>Links to “{isolated(row?.title || "Untitled")}”</span>
    </p>
  );
}

/** Shows the author and time of a result. For deleted text, shows the person who changed it. */
export function ResultFacts({ result }: { result: Result }) {
  const { people, me, clock } = useWorkspace("people", "me", "clock");
  const {
    kind,
    author,
    authors = author === undefined ? [] : [author],
    since,
    until,
    endedBy,
    gone,
    stands,
    named,
    target,
  } = result;
  const writer = author === undefined ? undefined : people.get(author);
  const nameOf = (id: string | null | undefined) => {
    const person = typeof id === "string" ? people.get(id) : undefined;
    return id === me.userId ? "you" : person ? firstName(person) : "somebody";
  };
  const when = (iso: string | null | undefined) => (iso ? `, ${dateTimeOf(iso, clock)}` : "");
  if (kind === "link") return <LinkFacts target={target} />;
  if (named !== undefined)
    return (
      <p className={styles.facts}>
        <Icon of={Bookmark} size={14} />
        <span>In the named version “{named}”</span>
      </p>
    );
  if (stands)
    return author === undefined ? null : (
      <p className={styles.facts}>
        {kind === "comment" && <Icon of={MessageSquare} size={14} />}
        <Avatar name={writer?.name ?? "Somebody"} color={writer?.color ?? 10} size="mini" />
        <b>
          {writerWords(authors.length === 0 ? [author] : authors, {
            me: me.userId,
            nameOf: (id) => people.get(id)?.name ?? "Somebody",
          })}
        </b>
        <span>
          {authors.length === 0 ? "brought this here" : wrote[kind]}{" "}
          {since && dateTimeOf(since, clock)}
        </span>
      </p>
    );
  return (
    <p className={styles.facts}>
      <span className={styles.ended}>
        <Icon of={gone && kind !== "title" ? Eraser : PenLine} size={14} />
        {gone && kind !== "title" ? "Deleted" : ended[kind]} by {nameOf(endedBy)}
        {when(until)}
      </span>
      <span aria-hidden className={styles.middle}>
        ·
      </span>
      <span>
        {authors.length === 0 ? "brought here by" : was[kind]}{" "}
        {list.format((authors.length === 0 ? [author] : authors).map(nameOf))}
        {when(since)}
      </span>
    </p>
  );
}
