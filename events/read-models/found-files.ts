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
 * A file in a document. `redactedAt` is the version of that document's last redaction, or 0 without
 * one. `open` is false if the reader may not read the document's history. Such a reader may not
 * learn of a file that the text does not show.
 */
export type FoundFile = z.infer<typeof foundFile>;

/** Reads the documents with a file that the reader may see, ordered by first attachment. */
export async function findFile(rows: Pick<Rows, "rpc">, file: string): Promise<FoundFile[]> {
  const { data, error, status } = await rows.rpc("find_file", { file });
  if (error) throw faultOf(error, status);
  return z.array(foundFile).parse(data);
}
