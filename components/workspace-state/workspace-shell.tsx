"use client";

import { useEffect, useMemo, useState, type ReactNode } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { afterCritical } from "@/components/loading/after-critical";
import { useClock } from "@/components/ui/use-clock";
import type { LiveView } from "./live-workspace";
import { firstView } from "./initial-view";
import type { WorkspaceSnapshot } from "./workspace-snapshot";
import { WorkspaceContext } from "./workspace-context";

// What keeps a page live is not needed to read it, so it comes after the page.
const LiveWorkspace = onDemand(() =>
  import("./live-workspace").then((module) => module.LiveWorkspace),
);

type Props = {
  initial: WorkspaceSnapshot;
  /** The document that this page shows. */ here?: string | null;
  children: ReactNode;
};

/** Gives a workspace to everything inside: at first as the server rendered it, then live. */
export function WorkspaceShell({ initial, here = null, children }: Props) {
  const clock = useClock(initial.clock);
  const [{ view: first, ready }] = useState(() => firstView(initial));
  const [live, setLive] = useState<LiveView | null>(null);
  const [show] = useState(() => (view: LiveView) => {
    ready(view);
    setLive(view);
  });
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    let shown = true;
    void afterCritical().then(() => {
      if (shown) setWanted(true);
    });
    return () => {
      shown = false;
    };
  }, []);
  const view = useMemo(() => ({ ...(live ?? first), clock }), [live, first, clock]);
  return (
    <WorkspaceContext value={view}>
      {children}
      {wanted && <LiveWorkspace initial={initial} here={here} onView={show} />}
    </WorkspaceContext>
  );
}
