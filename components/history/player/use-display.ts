"use client";

import { useCallback, useMemo, useState } from "react";
import { isolated } from "@/events/core/text/isolated";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { Person } from "@/events/read-models/person";
import { useColour } from "@/components/history/playback/colour";
import { noFilter } from "@/components/history/playback/playback-filter";
import type { AxisKind } from "@/components/history/playback/timeline-axis";
import type { MembershipChange } from "@/components/history/playback/timeline-markers";
import { useChapters } from "./use-chapters";
import { useMarkers } from "./use-markers";

type Input = {
  timeline: Timeline | null;
  people: ReadonlyMap<string, Person>;
  membershipChanges: readonly MembershipChange[];
  /** The reader, whose choice of colours is stored on the device. */
  userId: string;
};

/** Returns the reader's display of a history: colours, chapters, axis, filter and markers. */
export function useDisplay({ timeline, people, membershipChanges, userId }: Input) {
  const [colour, setColour] = useColour(userId);
  const [chapters, divideBy] = useChapters(timeline);
  const [filter, setFilter] = useState(noFilter);
  const [axis, setAxis] = useState<AxisKind>("sessions");
  const { all: markers, stops, onNamed } = useMarkers(timeline, membershipChanges, userId);
  const nameOf = useCallback(
    (id: string) => isolated(people.get(id)?.name ?? "Somebody"),
    [people],
  );
  const shown = useMemo(
    () => ({ colour, chapters, filter, axis, markers, nameOf }),
    [colour, chapters, filter, axis, markers, nameOf],
  );
  return { shown, stops, onNamed, setColour, divideBy, setFilter, setAxis };
}
