import type { Instrumentation } from "next";

/** Called once by Next when a server starts. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build")
    return;
  // `sendErrorsTo` belongs here.
  const { reportUncaught } = await import("@/app/_server/uncaught-errors");
  reportUncaught();
  const { startWorkers } = await import("@/app/_server/workers/workers");
  startWorkers();
  const { startMaintenance } = await import("@/app/_server/maintenance/works");
  startMaintenance();
}

/** Called by Next for every error thrown by a page, a route or the proxy; Next also logs it. */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  // The caller has disconnected.
  if (error instanceof Error && error.name === "CallerGone") return;
  const { reportError } = await import("@/events/core/error-report");
  reportError(error, { during: "handling a request", kind: "uncaught", route: routePath });
};
