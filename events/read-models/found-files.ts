import * as z from "zod/mini";
import { fileTypes } from "@/events/core/file-types";
import { faultOf } from "@/events/log/store";
import type { Rows } from "./rows";

const foundFile = z.object({
  document: z.string(),
  workspace: z.string(),
  sha256: z.string(),
  bytes: z.int(),
  type: z.enum(fileTypes),
  name: z.string(),
  width: z.nullable(z.int()),
  height: z.nullable(z.int()),
  redactedAt: z.int(),
  open: z.boolean(),
});
/**
 * A file where a document has it; `redactedAt` is the version of the last redaction of that
 * document, 0 where there was none. `open` is false where the reader may not read that document's
 * history, and so not know a file that its text does not show.
 */
export type FoundFile = z.infer<typeof foundFile>;

/** Where a file is attached that the reader may see, the first attachment first. */
export async function findFile(rows: Pick<Rows, "rpc">, file: string): Promise<FoundFile[]> {
  const { data, error, status } = await rows.rpc("find_file", { file });
  if (error) throw faultOf(error, status);
  return z.array(foundFile).parse(data);
}
