import postgres from "postgres";
import { type Clock, type Log } from "./clock";

type DatabaseListener = {
  /** Whether its connection stands. */
  isListening(): boolean;
  /** Settles when whatever was committed before has been heard. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Hears what the database notifies of on a channel, on a connection of its own. One that is lost is
 * made again: `lost` and `back` say so, and what was sent in between is not heard.
 */
export async function listenToDatabase(input: {
  databaseUrl: string;
  channel: string;
  /** Who listens, for the log. */
  part: string;
  heard: (payload: string) => void;
  lost?: () => void;
  back: () => void;
  clock: Clock;
  log: Log;
}): Promise<DatabaseListener> {
  const { channel, part, heard, lost, back, clock, log } = input;
  let closed = false;
  let isListening = false;
  let cancelRetry: () => void = () => {};

  // postgres.js' own listen() gives up when the first attempt after a loss fails, so the connection is kept here.
  const options = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onnotify: (_channel: string, payload: string) => heard(payload),
    onclose: () => {
      if (closed) return;
      isListening = false;
      lost?.();
      log(`${part}: lost the database; connecting again`, "error");
      listenAgain(100);
    },
  };
  const sql = postgres(input.databaseUrl, options);

  function listenAgain(ms: number): void {
    cancelRetry();
    cancelRetry = clock.after(ms, () => {
      listen().then(back, (error: unknown) => {
        if (closed) return;
        log(`${part}: still no database: ${String(error)}`, "error");
        listenAgain(Math.min(ms * 2, 2000));
      });
    });
  }

  async function listen(): Promise<void> {
    await sql.unsafe(`listen ${channel}`);
    isListening = true;
  }

  await listen();
  return {
    isListening: () => isListening,
    async caughtUp() {
      // A server sends what it was notified of before the answer to the next statement.
      await sql.unsafe("select 1");
    },
    async close() {
      closed = true;
      cancelRetry();
      await sql.end({ timeout: 1 });
    },
  };
}
