import { AsyncLocalStorage } from "node:async_hooks";
import postgres from "postgres";

type Heard = { error: postgres.PostgresError | null };

const requests = new AsyncLocalStorage<Heard>();

/**
 * Runs a request, and returns its response with the last database error that occurred. Lite logs
 * errors with all fields, but its responses contain only some of the messages.
 */
export async function withDatabaseError(
  answer: () => Promise<Response>,
): Promise<{ response: Response; error: postgres.PostgresError | null }> {
  const heard: Heard = { error: null };
  const response = await requests.run(heard, answer);
  return { response, error: heard.error };
}

/** Receives every error that is logged. */
export function hearError(error: Error): void {
  const heard = requests.getStore();
  if (heard && error instanceof postgres.PostgresError) heard.error = error;
}
