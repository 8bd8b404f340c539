"use client";

import { Users } from "lucide-react";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { Avatar } from "@/components/ui/pictures/avatar";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { initials } from "@/components/ui/pictures/initials";
import { personClass } from "@/components/ui/pictures/palette";
import styles from "../document.module.css";

/** A person who has this document open. `me` marks the reader. */
export type PersonHere = Person & { idle: boolean; me: boolean };

const most = 5;

type Props = {
  people: readonly PersonHere[];
  /** The person whose caret the view follows. */
  whom?: string | null;
  /** Starts or stops following a person. Absent if no caret can be followed. */
  onFollow?: (userId: string) => void;
};

/** Shows each person who has this document open. A narrow screen shows a count instead of faces. */
export function PeopleHere({ people, whom = null, onFollow }: Props) {
  const shown = people.length > most ? people.slice(0, most - 1) : people;
  const rest = people.slice(shown.length);
  return (
    <>
      <span className={styles.count} aria-hidden="true">
        <Icon of={Users} />
        {people.length}
      </span>
      <ul className={styles.people} aria-label="People here">
        {shown.map((person) => (
          <li key={person.userId} title={wordsFor(person)}>
            {onFollow === undefined || person.me ? (
              <Avatar
                name={person.name}
                color={person.color}
                picture={person.picture}
                idle={person.idle}
              />
            ) : (
              <button
                type="button"
                className={classNames(styles.face, personClass(person.color))}
                aria-label={followName(person)}
                aria-pressed={person.userId === whom}
                onClick={() => onFollow(person.userId)}
              >
                <Avatar
                  name={person.name}
                  color={person.color}
                  picture={person.picture}
                  idle={person.idle}
                />
              </button>
            )}
            <span className="sr">{wordsFor(person)}</span>
          </li>
        ))}
        {rest.map((person, index) => (
          <li
            key={person.userId}
            title={index === 0 ? rest.map(wordsFor).join("\n") : undefined}
            className={index === 0 ? styles.more : "sr"}
          >
            {index === 0 && <span aria-hidden="true">+{rest.length}</span>}
            <span className="sr">{wordsFor(person)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Returns a name with the letters that the button shows, which voice control users say. */
function followName(person: Person): string {
  const [name, letters] = [firstName(person), initials(person.name)];
  const isShown = name.toLowerCase().includes(letters.toLowerCase());
  return isShown ? `Follow ${name}` : `Follow ${name} (${letters})`;
}

function wordsFor({ name, me, idle }: PersonHere): string {
  return `${name}${me ? ", you" : ""}${idle ? ", idle" : ""}`;
}
