import postgres from "postgres";
import { type Clock } from "./realtime/clock";

const firstRest = 100;
const longestRest = 2_000;

export type DatabaseNotices = {
  /** Whether its connection stands. */
  isListening(): boolean;
  /** Settles when whatever was committed before has been heard. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Hears what the database notifies on a channel, on a connection of its own that is made again
 * whenever it is lost, after rests that grow; `regained` hears that notices may have been missed.
 * postgres.js' own listen() gives up when the first attempt after a loss fails.
 */
export async function hearNotices(input: {
  databaseUrl: string;
  channel: string;
  clock: Pick<Clock, "after">;
  heard: (payload: string) => void;
  lost: () => void;
  failed: (error: unknown) => void;
  regained: () => void;
}): Promise<DatabaseNotices> {
  const { clock } = input;
  let isClosed = false;
  let isListening = false;
  let cancelRetry: () => void = () => {};
  const options = {
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    fetch_types: false,
    onnotice: () => {},
    onnotify: (_channel: string, payload: string) => input.heard(payload),
    onclose: () => {
      // An attempt that fails closes a connection as well; that one has its own rest.
      if (isClosed || !isListening) return;
      isListening = false;
      input.lost();
      listenAgain(firstRest);
    },
  };
  const sql = postgres(input.databaseUrl, options);

  async function listen(): Promise<void> {
    await sql.unsafe(`listen ${input.channel}`);
    isListening = true;
  }

  function listenAgain(rest: number): void {
    cancelRetry = clock.after(rest, () => {
      listen().then(input.regained, (error: unknown) => {
        if (isClosed) return;
        input.failed(error);
        listenAgain(Math.min(rest * 2, longestRest));
      });
    });
  }

  await listen();
  return {
    isListening: () => isListening,
    async caughtUp() {
      // A server sends what it was notified of before the answer to the next statement.
      await sql.unsafe("select 1");
    },
    async close() {
      isClosed = true;
      cancelRetry();
      await sql.end({ timeout: 1 });
    },
  };
}
