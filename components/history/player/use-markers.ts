"use client";

import { useCallback, useMemo, useState } from "react";
import type { Timeline } from "@/events/history/timeline/timeline";
import { markersOf, versionMarker } from "@/components/history/playback/timeline-markers";
import type { MembershipChange, Marker } from "@/components/history/playback/timeline-markers";
import { revisionAtTime } from "@/components/history/playback/revision-input";

const none = { all: [], stops: [] } satisfies { all: Marker[]; stops: number[] };

type Named = { at: number; name: string };

/**
 * Returns the markers of the timeline bar and their revisions. Call `onNamed` when a version is
 * named while the player is open.
 */
export function useMarkers(
  timeline: Timeline | null,
  membershipChanges: readonly MembershipChange[],
  userId: string,
) {
  const [named, setNamed] = useState<readonly Named[]>([]);
  const { all, stops } = useMemo((): { all: readonly Marker[]; stops: readonly number[] } => {
    if (!timeline) return none;
    const since = named.map(({ at, name }, index) =>
      versionMarker({
        key: `named ${index}`,
        revision: timeline.ofVersion(at),
        name,
        actorId: userId,
      }),
    );
    const all = [
      ...markersOf(timeline, membershipChanges, (time) => revisionAtTime(timeline, time)),
      ...since,
    ].sort((a, b) => a.revision - b.revision);
    return { all, stops: all.map(({ revision }) => revision) };
  }, [timeline, membershipChanges, named, userId]);
  const onNamed = useCallback(
    (at: number, name: string) => setNamed((before) => [...before, { at, name }]),
    [],
  );
  return { all, stops, onNamed };
}
