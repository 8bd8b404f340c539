import { strFromU8 } from "fflate";
import * as z from "zod/mini";
import type { ArchivedFile } from "./import-archive";

const contents = z.object({
  documents: z.array(z.object({ id: z.string(), file: z.nullable(z.string()) })),
});

/** Whether a file of an archive may be the table of contents of an archive of ours. */
export const isContents = (name: string) => /(?:^|\/)contents\.json$/.test(name);

/** Returns the document of each file in an archive of ours. Empty for other archives. */
export function contentsIn({ path, bytes }: ArchivedFile): { id: string; file: string }[] {
  let said: unknown;
  try {
    said = JSON.parse(strFromU8(bytes));
  } catch {
    // The file has the name of a table of contents but another format.
    return [];
  }
  const read = contents.safeParse(said);
  const folder = path
    .slice(0, -1)
    .map((part) => `${part}/`)
    .join("");
  return (read.success ? read.data.documents : []).flatMap(({ id, file }) =>
    file === null ? [] : [{ id, file: `${folder}${file}` }],
  );
}
