import postgres from "postgres";
import type { Log } from "./operations/log";
import { printedText } from "./operations/error-text";

/**
 * Has REST look at the schema anew whenever somebody sends `notify pgrst, 'reload schema'`, as
 * PostgREST does; notices that come meanwhile cause one more look. Answers how to stop.
 */
export async function reloadOnNotice(
  databaseUrl: string,
  reload: () => Promise<void>,
  log: Log,
): Promise<() => Promise<void>> {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
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
  await sql.listen("pgrst", (payload) => {
    // An empty notice asks for the schema and the configuration, which is not kept in the database here.
    if (payload !== "" && payload !== "reload schema") return;
    wanted = true;
    reading ??= read().finally(() => (reading = null));
  });
  return async () => {
    await sql.end({ timeout: 0.5 });
    await reading;
  };
}
