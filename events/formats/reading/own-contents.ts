import { strFromU8 } from "fflate";
import * as z from "zod/mini";
import type { ArchivedFile } from "./import-archive";

const contents = z.object({
  documents: z.array(z.object({ id: z.string(), file: z.nullable(z.string()) })),
});

/** Whether an archive's file may be the table of contents of our own archives. */
export const isContents = (name: string) => /(?:^|\/)contents\.json$/.test(name);

/** The document of each file in one of our archives; empty if another program wrote it. */
export function contentsIn({ path, bytes }: ArchivedFile): { id: string; file: string }[] {
  let said: unknown;
  try {
    said = JSON.parse(strFromU8(bytes));
  } catch {
    // A file of the same name in another format.
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
