import { AsyncLocalStorage } from "node:async_hooks";
import postgres from "postgres";

type Heard = { error: postgres.PostgresError | null };

const requests = new AsyncLocalStorage<Heard>();

/**
 * Answers a request together with the last error of the database that came up meanwhile. Lite
 * prints an error with all that it says, and answers some by their message alone.
 */
export async function withDatabaseError(
  answer: () => Promise<Response>,
): Promise<{ response: Response; error: postgres.PostgresError | null }> {
  const heard: Heard = { error: null };
  const response = await requests.run(heard, answer);
  return { response, error: heard.error };
}

/** Is told every error that is printed. */
export function hearError(error: Error): void {
  const heard = requests.getStore();
  if (heard && error instanceof postgres.PostgresError) heard.error = error;
}
