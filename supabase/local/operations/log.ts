import { AsyncLocalStorage } from "node:async_hooks";
import pino from "pino";
import { isKnownWarning } from "../process/known-warnings.mjs";
import { logLine } from "../realtime/log-line";
import { printedText } from "./error-text";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];
export const logFormats = ["text", "json"] as const;
export type LogFormat = (typeof logFormats)[number];

type Fields = Readonly<Record<string, string | number | boolean | undefined>>;

/**
 * Logs a message with a level (info by default) and fields. Neither may contain user content,
 * addresses or secrets: only ids, our own names and numbers.
 */
export type Log = (message: string, fields?: { level?: LogLevel } & Fields) => void;

const requests = new AsyncLocalStorage<string>();

/** Runs `work`. Every log line in it carries the request's id. */
export function asRequest<T>(id: string, work: () => T): T {
  return requests.run(id, work);
}

/** Returns the id of the current request. */
export function currentRequest(): string | undefined {
  return requests.getStore();
}

/**
 * Opens this process's log: JSON for programs (pino's format, with `level` as a word and `time` in
 * ISO 8601), or text for people, in which a plain message has no prefix.
 */
export function openLog(
  options: { format: LogFormat; level: LogLevel },
  write: (line: string, level: LogLevel) => void = toStandardStreams,
): Log {
  const settings: pino.LoggerOptions = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
    mixin: () => {
      const request = requests.getStore();
      return request === undefined ? {} : { request };
    },
  };
  let level: LogLevel = "info";
  const logger = pino(settings, {
    write: (line: string) => write(options.format === "json" ? line : asText(line), level),
  });
  return (message, { level: givenLevel = "info", ...fields } = {}) => {
    level = givenLevel;
    logger[givenLevel](fields, logLine(message));
  };
}

/** Redirects `console` output of libraries to the log, one entry per call. */
export function takeConsole(log: Log): void {
  const to =
    (level: LogLevel) =>
    (...parts: unknown[]) => {
      if (isKnownWarning(String(parts[0]))) return;
      const isAbandoned = parts.some((part) => part instanceof Error && part.name === "CallerGone");
      log(printedText(...parts), { level: isAbandoned ? "debug" : level, part: "console" });
    };
  console.debug = to("debug");
  console.log = console.info = to("info");
  console.warn = to("warn");
  console.error = to("error");
}

function toStandardStreams(line: string, level: LogLevel): void {
  (level === "warn" || level === "error" ? process.stderr : process.stdout).write(line);
}

/** Formats `message (key=value …)`, with a prefix for any level other than info. */
function asText(line: string): string {
  const { level, time: _, msg, ...fields }: Record<string, unknown> = JSON.parse(line);
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${String(value)}`);
  const prefix = level === "info" ? "" : `${String(level)}: `;
  return `${prefix}${String(msg)}${shown.length > 0 ? ` (${shown.join(" ")})` : ""}\n`;
}
