import postgres from "postgres";
import type { Clock } from "../realtime/clock";

const firstRest = 100;
const longestRest = 2_000;

export type DatabaseNotices = {
  /** Whether it is connected. */
  isListening(): boolean;
  /** Resolves when all notifications of earlier commits have been received. */
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

/**
 * Listens to a channel on its own connection, and reconnects with back-off. `regained` is called
 * when notifications may have been missed. The listen() of postgres.js gives up if its first
 * attempt to reconnect fails.
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
      // A failed attempt also closes a connection, and has its own retry.
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
      // Postgres sends pending notifications before the response to the next statement.
      await sql.unsafe("select 1");
    },
    async close() {
      isClosed = true;
      cancelRetry();
      await sql.end({ timeout: 1 });
    },
  };
}
