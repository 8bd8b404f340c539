import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const fileRoom = z.nullable(z.object({ bytes: z.number(), most: z.number() }));
/** How many bytes the files of a workspace take, and how many they may. */
export type FileRoom = NonNullable<z.output<typeof fileRoom>>;

/** The room for a workspace's files, for its members; null for everybody else. */
export async function readFileRoom(
  rows: Pick<Rows, "rpc">,
  workspace: string,
): Promise<FileRoom | null> {
  const { data, error, status } = await rows.rpc("file_room", { workspace });
  if (error) throw faultOf(error, status);
  return fileRoom.parse(data);
}
