"use client";

import { useState } from "react";
import { outlineAt } from "@/events/history/timeline/outline";
import { MenuChoice, MenuHeading, MenuRule } from "@/components/ui/menu-parts";
import type { FilterKind } from "@/components/history/playback/playback-filter";
import type { PlayerView } from "@/components/history/playback/player-view";
import { indexNow, useReplayActor } from "@/components/history/playback/replay-context";

const everybody = "everybody";
const everywhere = "everywhere";
const kinds: readonly { value: FilterKind; label: string }[] = [
  { value: "everything", label: "Everything" },
  { value: "comments", label: "Only comments" },
  { value: "restores", label: "Only restores" },
];

/**
 * Offers the filters: whose changes are played, which kind, and which section. The sections are
 * those of the shown revision.
 */
export function FilterChoices({ timeline, authors, filter, run }: PlayerView) {
  const actor = useReplayActor();
  const [outline] = useState(() => outlineAt(timeline, indexNow(actor)));
  const { author, kind, section } = filter;
  // A section that was chosen at another revision may not exist at this one.
  const sections =
    section === null || outline.some(({ key }) => key === section.key)
      ? outline
      : [section, ...outline];
  return (
    <>
      <MenuHeading>Whose edits</MenuHeading>
      <MenuChoice
        value={author ?? everybody}
        options={[
          { value: everybody, label: "Everybody’s" },
          ...authors.map(({ userId, name }) => ({ value: userId, label: `Only ${name}’s` })),
        ]}
        onChange={(value) =>
          run({ type: "filter", filter: { ...filter, author: value === everybody ? null : value } })
        }
      />
      <MenuRule />
      <MenuHeading>What is played</MenuHeading>
      <MenuChoice
        value={kind}
        options={kinds}
        onChange={(value) => run({ type: "filter", filter: { ...filter, kind: value } })}
      />
      {sections.length > 0 && (
        <>
          <MenuRule />
          <MenuHeading>Where</MenuHeading>
          <MenuChoice
            value={section?.key ?? everywhere}
            options={[
              { value: everywhere, label: "All of the document" },
              ...sections.map(({ key, title }) => ({ value: key, label: `“${title}”` })),
            ]}
            onChange={(value) =>
              run({
                type: "filter",
                filter: { ...filter, section: sections.find(({ key }) => key === value) ?? null },
              })
            }
          />
        </>
      )}
    </>
  );
}
