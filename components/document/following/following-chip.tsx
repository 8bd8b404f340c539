"use client";

import { X } from "lucide-react";
import type { Awareness } from "y-protocols/awareness";
import { firstName } from "@/events/read-models/person";
import type { Person } from "@/events/read-models/person";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { personClass } from "@/components/ui/pictures/palette";
import styles from "./following-chip.module.css";
import { useFollowing } from "./use-following";

type Props = { person: Person; awareness: Awareness | null; onStop: () => void };

/** Follows a person's caret. Shows a chip that names the person and stops the following. */
export function FollowingChip({ person, awareness, onStop }: Props) {
  useFollowing(person.userId, awareness, onStop);
  return (
    <div className={classNames(styles.chip, personClass(person.color))}>
      <span role="status">Following {firstName(person)}</span>
      <button type="button" aria-label="Stop following" aria-keyshortcuts="Escape" onClick={onStop}>
        <Icon of={X} size={14} />
      </button>
    </div>
  );
}
