import { format } from "node:util";

/**
 * An error as it may stand in a log: its name, its code, its message without what it quotes, and
 * where it came from. Databases and parsers quote what people wrote, and their errors carry it in
 * fields of their own.
 */
export function errorText(error: Error): string {
  const { name, message, stack = "" } = error;
  const code = "code" in error && typeof error.code === "string" ? ` ${error.code}` : "";
  const frames = stack.split("\n").filter((line) => /^ {4}at /.test(line));
  const cause = error.cause instanceof Error ? [`caused by ${errorText(error.cause)}`] : [];
  return [`${name}${code}: ${withoutQuotations(message)}`, ...frames, ...cause].join("\n");
}

/** The text of what somebody threw, or gave to `console`. */
export function printedText(...parts: unknown[]): string {
  return format(...parts.map((part) => (part instanceof Error ? errorText(part) : part)));
}

const withoutQuotations = (message: string) =>
  message
    .replace(/"[^"]*"|`[^`]*`|“[^”]*”|(?<!\w)'[^']*'|=\([^)]*\)/g, "…")
    .replace(/[^\s@<>]+@[^\s@<>]+/g, "…");
