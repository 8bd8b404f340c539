import { reportError } from "@/events/core/error-report";

/** Reports what nobody catches in this process, which goes on or ends as it does without that. */
export function reportUncaught(): void {
  process.on("uncaughtExceptionMonitor", (error, origin) =>
    reportError(error, { during: origin, kind: "uncaught" }),
  );
  // The first listener would keep Node from ending the process. Where there is none, a rejection
  // ends it as an exception.
  if (process.listenerCount("unhandledRejection") === 0) return;
  process.on("unhandledRejection", (reason) =>
    reportError(reason, { during: "unhandledRejection", kind: "uncaught" }),
  );
}
