import { reportError } from "@/events/core/error-report";

/** Reports uncaught errors of this process without changing whether it exits. */
export function reportUncaught(): void {
  process.on("uncaughtExceptionMonitor", (error, origin) =>
    reportError(error, { during: origin, kind: "uncaught" }),
  );
  // Adding a first listener would keep Node from exiting. Without one, a rejection becomes an
  // uncaught exception, which is reported above.
  if (process.listenerCount("unhandledRejection") === 0) return;
  process.on("unhandledRejection", (reason) =>
    reportError(reason, { during: "unhandledRejection", kind: "uncaught" }),
  );
}
