import { format } from "node:util";

/**
 * Formats an error for the log: name, code, message without quotations, and stack. Databases and
 * parsers quote user content in messages, and their errors have further fields with user content.
 */
export function errorText(error: Error): string {
  const { name, message, stack = "" } = error;
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const frames = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  const cause = error.cause instanceof Error ? [`caused by ${errorText(error.cause)}`] : [];
  return [`${name}${code}: ${withoutQuotations(message)}`, ...frames, ...cause].join("\n");
}

/** Returns the text of a thrown value, or of arguments to `console`. */
export function printedText(...parts: unknown[]): string {
  return format(...parts.map((part) => (part instanceof Error ? errorText(part) : part)));
}

const withoutQuotations = (message: string) =>
  message
    .replace(/"[^"]*"|`[^`]*`|“[^”]*”|(?<!\w)'[^']*'|=\([^)]*\)/g, "…")
    .replace(/[^\s@<>]+@[^\s@<>]+/g, "…");
