/** The formats that a text can be exported to, by file extension. */
export const fileKinds = {
  md: "text/markdown; charset=utf-8",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  pdf: "application/pdf",
  html: "text/html; charset=utf-8",
} as const;

export type FileKind = keyof typeof fileKinds;

/** Whether this is an export format. */
export function isFileKind(value: unknown): value is FileKind {
  return typeof value === "string" && Object.hasOwn(fileKinds, value);
}
