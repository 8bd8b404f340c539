import * as z from "zod/mini";
import { readRows } from "@/events/log/paged-rows";
import type { Rows } from "./rows";

/** Reads a person's name, which is empty for an account that has not set one. */
export async function accountName(rows: Rows, userId: string): Promise<string> {
  const [account] = readRows(
    await rows.from("accounts").select("name").eq("user_id", userId),
    z.object({ name: z.string() }),
  );
  return account?.name ?? "";
}
