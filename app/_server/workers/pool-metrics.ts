import { Gauge } from "prom-client";
import type { WorkerPool } from "./worker-pool";

/** Registers gauges of the pools' running and waiting tasks, which `/metrics` shows. */
export function measurePools(pools: Readonly<Record<string, Pick<WorkerPool, "load">>>): void {
  const measure = (name: string, help: string, of: "running" | "waiting") =>
    new Gauge({
      name,
      help,
      labelNames: ["pool"],
      collect() {
        for (const [pool, { load }] of Object.entries(pools)) this.set({ pool }, load[of]);
      },
    });
  measure("palimpsest_tasks_running", "Tasks that worker threads do now, by pool.", "running");
  measure("palimpsest_tasks_waiting", "Tasks that wait for a worker thread, by pool.", "waiting");
}
