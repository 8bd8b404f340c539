import { hearNotices } from "./database-notices";
import type { Log } from "../operations/log";
import { printedText } from "../operations/error-text";
import { systemClock } from "../realtime/clock";

/**
 * Reloads REST's schema on `notify pgrst, 'reload schema'`, as PostgREST does, and whenever such a
 * notification may have been missed. A notification during a reload causes another reload. Returns
 * a function that stops listening.
 */
export async function reloadOnNotice(
  databaseUrl: string,
  reload: () => Promise<void>,
  log: Log,
): Promise<() => Promise<void>> {
  let wanted = false;
  let reading: Promise<void> | null = null;
  const read = async () => {
    while (wanted) {
      wanted = false;
      await reload().then(
        () => log("REST reloaded the schema"),
        (error: unknown) =>
          log(`REST could not reload the schema: ${printedText(error)}`, { level: "error" }),
      );
    }
  };
  const look = () => {
    wanted = true;
    reading ??= read().finally(() => (reading = null));
  };
  const source = await hearNotices({
    databaseUrl,
    channel: "pgrst",
    clock: systemClock,
    heard(payload) {
      // An empty payload reloads schema and configuration; here the database has no configuration.
      if (payload === "" || payload === "reload schema") look();
    },
    // Realtime logs the same loss.
    lost: () => undefined,
    failed: () => undefined,
    regained: look,
  });
  return async () => {
    await source.close();
    await reading;
  };
}
