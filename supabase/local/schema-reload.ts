import { hearNotices } from "./database-notices";
import type { Log } from "./operations/log";
import { printedText } from "./operations/error-text";
import { systemClock } from "./realtime/clock";

/**
 * Has REST look at the schema anew whenever somebody sends `notify pgrst, 'reload schema'`, as
 * PostgREST does, and whenever such a notice may have been missed; notices that come meanwhile
 * cause one more look. Answers how to stop.
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
        () => log("REST has read the schema anew"),
        (error: unknown) =>
          log(`REST could not read the schema anew: ${printedText(error)}`, { level: "error" }),
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
      // An empty notice asks for the schema and the configuration, which is not kept in the database here.
      if (payload === "" || payload === "reload schema") look();
    },
    // Realtime, which listens too, says so.
    lost: () => undefined,
    failed: () => undefined,
    regained: look,
  });
  return async () => {
    await source.close();
    await reading;
  };
}
