/** Next calls this once when a server begins. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs" || process.env.NEXT_PHASE === "phase-production-build")
    return;
  const { startWorkers } = await import("@/app/_server/workers/workers");
  startWorkers();
  const { keepUpAlways } = await import("@/app/_server/maintenance/maintenance-runs");
  keepUpAlways();
}
