"use client";

import { Undo2 } from "lucide-react";
import { MenuItem, MenuSub } from "@/components/ui/menu-parts";
import type { PlayerView } from "@/components/history/playback/player-view";
import { useRevisionIndex } from "@/components/history/playback/replay-context";
import type { RestoreRequest } from "@/events/revisions/restore";
import { isolated } from "@/events/core/text/isolated";

type Props = Pick<PlayerView, "timeline" | "nameOf"> & {
  onRevert: (request: RestoreRequest) => void;
};

/**
 * Offers to revert one person's changes since the shown moment. At the newest moment, the changes
 * are those of its session. Only people with such changes are listed.
 */
export function RevertChoices({ timeline, nameOf, onRevert }: Props) {
  const index = useRevisionIndex();
  const to = timeline.length - 1;
  const session = timeline.timingMap.sessions[timeline.timingMap.sessionOf(to)];
  const from = index < to ? index : Math.max(0, (session?.from ?? 1) - 1);
  const changed = new Set<number>();
  for (let at = from + 1; at <= to; at += 1) changed.add(timeline.authorOf(at));
  const people = timeline.authors.filter((_, author) => changed.has(author));
  const since = index < to ? "Since this moment" : "In the last session";
  return (
    <MenuSub icon={Undo2} label="Revert all changes by…" disabled={people.length === 0}>
      {people.map((author) => (
        <MenuItem
          key={author}
          detail={since}
          onSelect={() => onRevert({ kind: "author", timeline, author, from, to })}
        >
          {isolated(nameOf(author))}
        </MenuItem>
      ))}
    </MenuSub>
  );
}
