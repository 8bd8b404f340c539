import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const fileRoom = z.object({ bytes: z.number(), most: z.number() });
/** The bytes that some files use, and their limit. */
export type FileRoom = z.output<typeof fileRoom>;

/** Reads the space of a workspace's files. Resolves to null for a caller who is not a member. */
export async function readFileRoom(
  rows: Pick<Rows, "rpc">,
  workspace: string,
): Promise<FileRoom | null> {
  const { data, error, status } = await rows.rpc("file_room", { workspace });
  if (error) throw faultOf(error, status);
  return z.nullable(fileRoom).parse(data);
}

/** Reads the space of the files that the caller has added in all workspaces. */
export async function readOwnFileRoom(rows: Pick<Rows, "rpc">): Promise<FileRoom> {
  const { data, error, status } = await rows.rpc("own_file_room");
  if (error) throw faultOf(error, status);
  return fileRoom.parse(data);
}
