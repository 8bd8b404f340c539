import type postgres from "postgres";
import type { Clock, Log } from "./clock";

const everyHour = 60 * 60_000;

/**
 * Creates the daily partitions of realtime.messages ahead of time and drops old ones, now and
 * hourly.
 */
export async function maintainPartitions(
  sql: postgres.Sql,
  clock: Clock,
  log: Log,
): Promise<{ stop(): void }> {
  let cancel: () => void = () => {};
  async function maintain(): Promise<void> {
    await sql`select realtime.keep_partitions()`;
  }
  function schedule(): void {
    cancel = clock.after(everyHour, () => {
      maintain()
        .catch((error: unknown) =>
          log(`realtime: could not maintain the partitions of realtime.messages: ${String(error)}`),
        )
        .finally(schedule);
    });
  }
  await maintain();
  schedule();
  return { stop: () => cancel() };
}
