"use client";

import { Film } from "lucide-react";
import { usePathname, useSearchParams } from "next/navigation";
import { useMemo, useState } from "react";
import { rowsAtATime } from "@/events/core/pages";
import { onDemand } from "@/components/loading/on-demand";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { useMoreRows } from "@/components/ui/screen/long-list";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import page from "@/components/frame/page-heading.module.css";
import { ActivityAside } from "./activity-aside";
import { entriesOf, filtered, placed } from "./activity-entries";
import { ActivityFilter, addressOf, filterOf } from "./activity-filter";
import { ActivityItem } from "./activity-item";
import { summaryOf } from "./activity-summary";
import { useActivity } from "./use-activity";
import type { InitialActivity } from "./use-activity";
import styles from "./activity.module.css";

const WorkspaceReplay = onDemand(() =>
  import("./workspace-replay").then((module) => module.WorkspaceReplay),
);

/**
 * Shows the activity of the workspace, newest first, by day, document and person. The URL has the
 * filters. A replay is available on demand.
 */
export function ActivityPage({ initial }: { initial: InitialActivity }) {
  const { clock } = useWorkspace("clock");
  const [replaying, setReplaying] = useState(false);
  const { feed, lines, floor, busy, readOn } = useActivity(initial);
  const path = usePathname();
  const query = useSearchParams();
  const filter = filterOf(query);
  const { kind, by, document } = filter;
  const older = (feed.at(-1) ?? feed[0]).older;
  const all = useMemo(
    () =>
      entriesOf(
        feed.flatMap(({ happenings }) => happenings),
        lines,
        floor,
      ),
    [feed, lines, floor],
  );
  const entries = useMemo(() => filtered(all, { kind, by, document }), [all, kind, by, document]);
  // The week's lines are complete, even for events that are not shown yet.
  const summary = useMemo(
    () => summaryOf(filtered(entriesOf([], lines, null), { kind, by, document }), clock),
    [lines, kind, by, document, clock],
  );
  const placedEntries = useMemo(() => placed(entries, clock), [entries, clock]);
  const [count, setCount] = useState(rowsAtATime);
  const rows = placedEntries.slice(0, count);
  const hasMore = older !== null || placedEntries.length > count;
  const { list, expectRows, expectNone } = useMoreRows<HTMLDivElement>(
    rows.length,
    older === null ? placedEntries.length : null,
  );
  const more = async () => {
    expectRows();
    setCount(count + rowsAtATime);
    const isRead = placedEntries.length > count || older === null;
    if (!isRead && !(await readOn())) expectNone();
  };
  return (
    <div className={styles.page}>
      <div>
        <div className={styles.head}>
          <h1 className={page.heading}>Activity</h1>
          <Button look="edge" aria-expanded={replaying} onClick={() => setReplaying((on) => !on)}>
            <Icon of={Film} />
            Replay
          </Button>
        </div>
        {replaying && <WorkspaceReplay />}
        <ActivityFilter
          filter={filter}
          onChange={(next) => history.replaceState(null, "", `${path}${addressOf(next)}`)}
        />
        <div ref={list} role="feed" aria-label="Activity" aria-busy={busy} className={styles.feed}>
          {rows.map((row) => (
            <ActivityItem key={row.entry.key} {...row} />
          ))}
        </div>
        {rows.length === 0 && (
          <p className={styles.none}>
            {older === null
              ? "Nothing of this kind has happened."
              : "Nothing of this kind has happened lately. Show more to look further back."}
          </p>
        )}
        {hasMore && (
          <Button look="edge" busy={busy} onClick={() => void more()}>
            Show more
          </Button>
        )}
      </div>
      <ActivityAside summary={summary} />
    </div>
  );
}
