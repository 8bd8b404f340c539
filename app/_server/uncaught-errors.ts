import { reportError } from "@/events/core/error-report";

/** Reports uncaught errors of this process without changing whether the process exits. */
export function reportUncaught(): void {
  process.on("uncaughtExceptionMonitor", (error, origin) =>
    reportError(error, { during: origin, kind: "uncaught" }),
  );
  // A first listener would keep Node from exiting. Without a listener, a rejection becomes an
  // uncaught exception, which is reported above.
  if (process.listenerCount("unhandledRejection") === 0) return;
  process.on("unhandledRejection", (reason) =>
    reportError(reason, { during: "unhandledRejection", kind: "uncaught" }),
  );
}
