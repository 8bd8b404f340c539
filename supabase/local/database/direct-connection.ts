import { randomBytes } from "node:crypto";
import postgres from "postgres";
import type { Clock } from "../realtime/clock";

/** How long, in ms, a notification may take from one connection to another. */
const patience = 5_000;

/**
 * Throws a sentence where a connection is not a session of its own, as through a pooler in transaction
 * mode: LISTEN hears nothing there, and a session lock is held by somebody else's connection.
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
