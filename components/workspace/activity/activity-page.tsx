"use client";

import { Film } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ActivityPage as Page } from "@/events/read-models/activity";
import type { ActivityFeed } from "@/events/read-models/activity-feed";
import { StoreFault } from "@/events/log/store";
import { byDay } from "@/components/ui/day-words";
import { onDemand } from "@/components/loading/on-demand";
import { useBackend, useTab } from "@/components/session/backend-provider";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useMoreRows } from "@/components/ui/long-list";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import page from "@/components/frame/page-heading.module.css";
import { ActivityItem } from "./activity-item";
import styles from "./activity.module.css";

const WorkspaceReplay = onDemand(() =>
  import("./workspace-replay").then((module) => module.WorkspaceReplay),
);

/** Everything that happened in the workspace, newest first, and on demand as a timeline bar. */
export function ActivityPage({ initial }: { initial: Page }) {
  const { id, clock, heard } = useWorkspace("id", "clock", "heard");
  const { open } = useTab();
  const backend = useBackend();
  const toast = useToast();
  const [feed, setFeed] = useState<ActivityFeed>([initial]);
  const [busy, setBusy] = useState(false);
  const [replaying, setReplaying] = useState(false);
  const read = useRef(heard);
  const latest = useRef(feed);
  useEffect(() => {
    latest.current = feed;
  });

  useEffect(() => {
    // Where earlier pages are on their way, they say how far down the newest go.
    if (!backend || busy || heard === read.current) return;
    let isCurrent = true;
    // Several notices at once are one reason to read.
    const timer = setTimeout(() => {
      void import("@/events/read-models/activity-feed")
        .then(({ withNewest }) => withNewest(backend.rows, id, latest.current))
        .then(
          (fresh) => {
            if (!isCurrent) return;
            read.current = heard;
            setFeed(fresh);
          },
          () => undefined,
        );
    }, 300);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [backend, id, heard, busy]);

  const older = (feed.at(-1) ?? feed[0]).older;
  const happenings = feed.flatMap((each) => each.happenings);
  const { list, expectRows, expectNone } = useMoreRows<HTMLDivElement>(
    happenings.length,
    older === null ? happenings.length : null,
  );
  const readOn = async () => {
    expectRows();
    setBusy(true);
    try {
      const [{ backend: connected }, { withEarlier }] = await Promise.all([
        open(),
        import("@/events/read-models/activity-feed"),
      ]);
      setFeed(await withEarlier(connected.rows, id, feed));
    } catch (fault) {
      expectNone();
      if (!(fault instanceof StoreFault)) throw fault;
      toast({ text: "Earlier activity could not be read. Try again when you are back online." });
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className={page.narrow}>
      <div className={styles.head}>
        <h1 className={page.heading}>Activity</h1>
        <Button look="edge" aria-expanded={replaying} onClick={() => setReplaying((on) => !on)}>
          <Icon of={Film} />
          Replay
        </Button>
      </div>
      {replaying && <WorkspaceReplay />}
      <div ref={list} role="feed" aria-label="Activity" aria-busy={busy} className={styles.feed}>
        {byDay(happenings, ({ at }) => at, clock).flatMap(({ heading, items }) =>
          items.map((happening, at) => (
            <ActivityItem
              key={happening.id}
              happening={happening}
              heading={at === 0 ? heading : null}
            />
          )),
        )}
      </div>
      {older !== null && (
        <Button look="edge" busy={busy} onClick={() => void readOn()}>
          Show more
        </Button>
      )}
    </div>
  );
}
