/**
 * `failed`: an operation that the user or the system relies on did not happen. `tolerated`: the
 * caller continues without the result, for example without a cached copy on a device that has no
 * storage. `uncaught`: no handler caught the error, and the platform has printed it.
 */
type ErrorKind = "failed" | "tolerated" | "uncaught";

/** The operation that failed. A context names things by id and never quotes what people wrote. */
type ErrorContext = {
  during: string;
  kind?: ErrorKind;
  documentId?: string;
  /** The route of the request, such as `/d/[document]`. */
  route?: string;
};

/** Sends errors to a console or a service. `kind` is always set. */
type ErrorSink = (error: unknown, context: ErrorContext & { kind: ErrorKind }) => void;

/** All copies of this module in a process (one in each bundle) share one sink. */
const shared: typeof globalThis & { palimpsestErrorSink?: ErrorSink } = globalThis;

/** Reports an error that its handler neither rethrows nor shows. */
export function reportError(error: unknown, context: ErrorContext): void {
  const report = { ...context, kind: context.kind ?? "failed" };
  try {
    (shared.palimpsestErrorSink ?? toConsole)(error, report);
  } catch (fault) {
    toConsole(fault, { during: "reporting an error", kind: "failed" });
    toConsole(error, report);
  }
}

/** Returns a handler for an error that the caller can tolerate: `promise.catch(tolerate("…"))`. */
export function tolerate(during: string): (error: unknown) => undefined {
  return (error) => {
    reportError(error, { during, kind: "tolerated" });
    return undefined;
  };
}

/**
 * Sends the errors of this process or page to `sink` instead of the console. Returns a function
 * that restores the previous sink.
 */
export function sendErrorsTo(sink: ErrorSink): () => void {
  const before = shared.palimpsestErrorSink;
  shared.palimpsestErrorSink = sink;
  return () => {
    if (before === undefined) delete shared.palimpsestErrorSink;
    else shared.palimpsestErrorSink = before;
  };
}

function toConsole(error: unknown, { during, kind, documentId, route }: Parameters<ErrorSink>[1]) {
  if (kind === "uncaught") return;
  const where = [during, documentId, route].filter((part) => part !== undefined).join(", ");
  if (kind === "failed") console.error(`${where}:`, error);
  else console.debug(`${where}:`, error);
}
