"use client";

import { useEffect, useState } from "react";
import type { ReactNode } from "react";
import { onDemand } from "@/components/loading/on-demand";
import { afterCritical } from "@/components/loading/after-critical";
import { usePersonOfPage } from "@/components/session/person/use-page-person";
import { useClock } from "@/components/ui/time/use-clock";
import type { LiveView } from "./live-workspace";
import { firstView } from "./initial-view";
import type { WorkspaceSnapshot } from "./workspace-snapshot";
import { WorkspaceContext } from "./workspace-context";
import { partsStore } from "./parts-store";

// Loads after the page, because the live part is not needed for reading.
const WholeWorkspace = onDemand(() =>
  import("./window/whole-workspace").then((module) => module.WholeWorkspace),
);

type Props = {
  initial: WorkspaceSnapshot;
  /** The document that this page shows. */ here?: string | null;
  children: ReactNode;
};

/** Provides a workspace to the children: first as the server rendered it, then live. */
export function WorkspaceShell({ initial, here = null, children }: Props) {
  usePersonOfPage(initial.me.userId);
  const clock = useClock(initial.clock);
  const [{ view: first, ready }] = useState(() => firstView(initial));
  // The store is not a React state: components subscribe to its parts, and nothing else renders
  // when they change.
  const [store] = useState(() => partsStore({ ...first, clock: initial.clock }));
  const [show] = useState(() => (view: LiveView) => {
    store.publish(view);
    ready(view);
  });
  useEffect(() => store.publish({ clock }), [store, clock]);
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
  return (
    <WorkspaceContext value={store}>
      {children}
      {wanted && <WholeWorkspace initial={initial} here={here} onView={show} />}
    </WorkspaceContext>
  );
}
