import * as z from "zod/mini";
import type { Rows } from "./rows";
import { faultOf } from "@/events/log/store";

const accountSession = z.pipe(
  z.object({
    id: z.string(),
    user_agent: z.string(),
    created_at: z.string(),
    used_at: z.string(),
    current: z.boolean(),
  }),
  z.transform((row) => ({
    id: row.id,
    userAgent: row.user_agent,
    createdAt: row.created_at,
    usedAt: row.used_at,
    current: row.current,
  })),
);
export type AccountSession = z.output<typeof accountSession>;

/** Reads the reader's active sessions, this one first, then by last use. Times are ISO. */
export async function readSessions(rows: Pick<Rows, "rpc">): Promise<AccountSession[]> {
  const { data, error, status } = await rows.rpc("read_sessions");
  if (error) throw faultOf(error, status);
  return z.array(accountSession).parse(data);
}

/** Ends another session of the reader. Resolves to false if it had already ended. */
export async function endSession(rows: Pick<Rows, "rpc">, session: string): Promise<boolean> {
  const { data, error, status } = await rows.rpc("end_session", { session });
  if (error) throw faultOf(error, status);
  return data === true;
}
