import { X } from "lucide-react";
import { firstName, type Person } from "@/events/read-models/person";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { personClass } from "@/components/ui/palette";
import styles from "./following-chip.module.css";

/** Says over the text whose caret the view follows, and stops it. */
export function FollowingChip({ person, onStop }: { person: Person; onStop: () => void }) {
  return (
    <div className={classNames(styles.chip, personClass(person.color))}>
      <span role="status">Following {firstName(person)}</span>
      <button type="button" aria-label="Stop following" aria-keyshortcuts="Escape" onClick={onStop}>
        <Icon of={X} size={14} />
      </button>
    </div>
  );
}
