"use client";

import { useEffect, useState } from "react";
import { systemClock, systemRandom } from "@/events/core/clock";
import { retried } from "@/events/core/retried";
import { StoreFault } from "@/events/log/store";
import { useBackend } from "@/components/session/backend-provider";
import { reportUnexpected } from "@/components/ui/failure-words";
import { LiveWorkspace } from "@/components/workspace-state/live-workspace";
import type { LiveView } from "@/components/workspace-state/live-workspace";
import { readWholeWorkspace } from "@/components/workspace-state/workspace-snapshot";
import type { WorkspaceSnapshot } from "@/components/workspace-state/workspace-snapshot";

type Props = { initial: WorkspaceSnapshot; here: string | null; onView: (view: LiveView) => void };

/**
 * Keeps a workspace live once all rows of its long lists are read. The server renders only the
 * first rows.
 */
export function WholeWorkspace(props: Props) {
  const { initial } = props;
  const backend = useBackend();
  const [whole, setWhole] = useState<WorkspaceSnapshot | null>(null);
  // Later answers of the server change nothing here except the reader.
  const [first] = useState(initial);
  const isWindow = first.rest !== null && whole === null;
  useEffect(() => {
    if (!isWindow || !backend) return;
    return retried({
      clock: systemClock,
      random: systemRandom,
      work: async () => {
        try {
          return (await readWholeWorkspace(backend.rows, first)) ?? { ...first, rest: null };
        } catch (fault) {
          // The stream reports lost access. Until then, the present rows are shown.
          if (fault instanceof StoreFault && !fault.retryable) return { ...first, rest: null };
          throw fault;
        }
      },
      done: setWhole,
      failed: reportUnexpected,
    });
  }, [isWindow, backend, first]);
  const known = first.rest === null ? first : whole;
  if (known === null) return null;
  const shown = initial.rest === null ? initial : { ...known, me: initial.me };
  return <LiveWorkspace {...props} initial={shown} />;
}
