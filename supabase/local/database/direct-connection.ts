import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { Clock } from "../realtime/clock";

/** How long a notification may take between two connections, in ms. */
const patience = 5_000;

/**
 * Throws if connections are not dedicated sessions, as through a pooler in transaction mode. There
 * LISTEN receives nothing, and a session lock belongs to another client's connection.
 */
export async function requireDirectConnection(
  databaseUrl: string,
  clock: Pick<Clock, "after">,
): Promise<void> {
  const channel = `palimpsest_${randomBytes(8).toString("hex")}`;
  let hear = () => {};
  const heard = new Promise<boolean>((settle) => (hear = () => settle(true)));
  const options = { max: 1, fetch_types: false, prepare: false, onnotice: () => undefined };
  const listeningOptions = {
    ...options,
    onnotify: (name: string) => {
      if (name === channel) hear();
    },
  };
  const listening = postgres(databaseUrl, listeningOptions);
  const notifying = postgres(databaseUrl, options);
  let cancel = () => {};
  try {
    await listening.unsafe(`listen ${channel}`);
    await notifying.unsafe(`notify ${channel}`);
    const late = new Promise<boolean>((settle) => {
      cancel = clock.after(patience, () => settle(false));
    });
    if (!(await Promise.race([heard, late])))
      throw new Error(
        "DATABASE_URL leads through a connection pooler in transaction mode, which loses LISTEN " +
          "and session locks. Use the direct connection, or a pooler in session mode (on Supabase " +
          "port 5432, not 6543). Nothing was changed.",
      );
  } finally {
    cancel();
    await Promise.all([listening.end({ timeout: 1 }), notifying.end({ timeout: 1 })]);
  }
}
