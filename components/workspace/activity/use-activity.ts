"use client";

import { useEffect, useRef, useState } from "react";
import type { ActivityPage as Page } from "@/events/read-models/activity";
import type { ActivityFeed } from "@/events/read-models/activity-feed";
import { linesBetween } from "@/events/read-models/change-lines";
import type { ChangeLine } from "@/events/read-models/change-lines";
import { StoreFault } from "@/events/log/store";
import { useBackend, useTab } from "@/components/session/backend-provider";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** The newest page of events, and the lines since its beginning or, if longer, for a week. */
export type InitialActivity = { page: Page; lines: readonly ChangeLine[]; since: string };

type Activity = {
  feed: ActivityFeed;
  lines: readonly ChangeLine[];
  /** The time of the first shown event, or null if all events are shown. */
  floor: string | null;
  busy: boolean;
  /** Reads earlier events. Resolves to false after a failure, which is reported. */
  readOn: () => Promise<boolean>;
};

/** Delays in ms after which a notice causes a read: bundled, and again once lines are derived. */
const readAfter = [300, 8_000, 20_000];

const floorOf = (feed: ActivityFeed) => (feed.at(-1) ?? feed[0]).since;

/** Returns a workspace's activity, newest first: live, with earlier pages on demand. */
export function useActivity(initial: InitialActivity): Activity {
  const { id, heard } = useWorkspace("id", "heard");
  const { open } = useTab();
  const backend = useBackend();
  const toast = useToast();
  const [feed, setFeed] = useState<ActivityFeed>([initial.page]);
  const [lines, setLines] = useState(initial.lines);
  const [busy, setBusy] = useState(false);
  const since = useRef(initial.since);
  const latest = useRef(feed);
  useEffect(() => {
    latest.current = feed;
  });

  useEffect(() => {
    // While earlier pages load, their answer determines where the newest page ends.
    if (!backend || busy) return;
    let isCurrent = true;
    const read = async () => {
      try {
        const { withNewest } = await import("@/events/read-models/activity-feed");
        const fresh = await withNewest(backend.rows, id, latest.current);
        const changed = await linesBetween(backend.rows, id, since.current, null);
        if (!isCurrent) return;
        setFeed(fresh);
        setLines((known) => {
          const anew = new Set(changed.map(({ documentId }) => documentId));
          const before = known.filter(
            ({ at, documentId }) => at < since.current || !anew.has(documentId),
          );
          return [...changed, ...before];
        });
      } catch (fault) {
        // The next notice triggers another attempt.
        if (!(fault instanceof StoreFault)) throw fault;
      }
    };
    const timers = readAfter.map((ms) => setTimeout(() => void read(), ms));
    return () => {
      isCurrent = false;
      for (const timer of timers) clearTimeout(timer);
    };
  }, [backend, id, heard, busy]);

  const readOn = async () => {
    setBusy(true);
    try {
      const [{ backend: connected }, { withEarlier }] = await Promise.all([
        open(),
        import("@/events/read-models/activity-feed"),
      ]);
      const earlier = await withEarlier(connected.rows, id, feed);
      const floor = floorOf(earlier);
      if (floor !== null && Date.parse(floor) < Date.parse(since.current)) {
        const older = await linesBetween(connected.rows, id, floor, since.current);
        since.current = floor;
        setLines((known) => [...known, ...older]);
      }
      setFeed(earlier);
      return true;
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      toast({ text: "Earlier activity could not be read. Try again when you are back online." });
      return false;
    } finally {
      setBusy(false);
    }
  };
  const isWhole = (feed.at(-1) ?? feed[0]).older === null;
  return { feed, lines, floor: isWhole ? null : floorOf(feed), busy, readOn };
}
