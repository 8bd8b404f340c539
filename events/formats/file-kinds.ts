/** The kinds of files that a text is written to, by how their names end. */
export const fileKinds = {
  md: "text/markdown; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pdf: "application/pdf",
  html: "text/html; charset=utf-8",
} as const;

export type FileKind = keyof typeof fileKinds;

/** Whether this is the name of a kind of file. */
export function isFileKind(value: unknown): value is FileKind {
  return typeof value === "string" && Object.hasOwn(fileKinds, value);
}
