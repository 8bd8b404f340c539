import { removeDeletedUsers, usersPerRun } from "@/app/_server/account/user-removal";
import { reportError } from "@/events/core/error-report";
import { serviceClient } from "@/supabase/server";
import { disposalsPerRun, disposeFiles } from "./disposal-runs";
import { documentsPerIndexRun, indexChanged } from "./index-runs";
import { deriveMarkedLines, linesPerRun } from "./line-runs";
import { keepLinksUp, linksPerRun } from "./link-runs";
import { documentsPerRun, maintainMarked } from "./maintenance-runs";
import { isPassing } from "./passing-fault";
import { disposePictures, picturesPerRun } from "./picture-runs";
import { keepUp } from "./work-rounds";
import type { Work } from "./work-rounds";
import { takeWork } from "./work-turns";

/** All background work of the service. */
export const works = [
  {
    kinds: ["upkeep"],
    run: maintainMarked,
    full: documentsPerRun,
    during: "maintaining documents",
  },
  {
    kinds: ["lines"],
    run: deriveMarkedLines,
    full: linesPerRun,
    during: "deriving change lines",
  },
  {
    kinds: ["index"],
    run: indexChanged,
    full: documentsPerIndexRun,
    during: "updating the search index",
  },
  {
    kinds: ["links"],
    run: keepLinksUp,
    full: linksPerRun,
    during: "updating back links",
  },
  {
    kinds: ["deletions", "leftovers"],
    run: disposeFiles,
    full: disposalsPerRun,
    during: "deleting unreferenced files",
  },
  {
    kinds: ["pictures"],
    run: disposePictures,
    full: picturesPerRun,
    during: "deleting unused pictures",
  },
  {
    kinds: ["users"],
    run: removeDeletedUsers,
    full: usersPerRun,
    during: "removing the users of deleted accounts",
  },
] satisfies Work[];

/** Runs background work for the life of the process. Does nothing without a service key. */
export function startMaintenance(): void {
  if (serviceClient() === null) return;
  keepUp({
    works,
    ask: takeWork,
    clock: {
      now: () => performance.now(),
      after: (ms, action) => void setTimeout(action, ms).unref(),
    },
    failed(fault, during) {
      // Transient failures are retried in a later round. Opening a page does the same work
      // meanwhile.
      const faults: unknown[] = fault instanceof AggregateError ? fault.errors : [fault];
      for (const each of faults) if (!isPassing(each)) reportError(each, { during });
    },
  });
}
