/**
 * failed: something did not happen that somebody counts on. tolerated: whoever called goes on
 * without it, such as a copy on a device that keeps nothing. uncaught: nobody caught it, and the
 * platform has printed it.
 */
type ErrorKind = "failed" | "tolerated" | "uncaught";

/** What was being done when an error came up; it names things by their ids and never quotes what people wrote. */
type ErrorContext = {
  during: string;
  kind?: ErrorKind;
  documentId?: string;
  /** Such as `/d/[document]`, where a request was being answered. */
  route?: string;
};

/** Takes errors away, to a console or a service; `kind` is always said. */
type ErrorSink = (error: unknown, context: ErrorContext & { kind: ErrorKind }) => void;

/** Bundles of one process have a module each, and one sink. */
const shared: typeof globalThis & { palimpsestErrorSink?: ErrorSink } = globalThis;

/** The one way for an error that nobody is told of where it is caught. */
export function reportError(error: unknown, context: ErrorContext): void {
  const report = { ...context, kind: context.kind ?? "failed" };
  try {
    (shared.palimpsestErrorSink ?? toConsole)(error, report);
  } catch (fault) {
    toConsole(fault, { during: "reporting an error", kind: "failed" });
    toConsole(error, report);
  }
}

/** Takes an error that the caller goes on without: `promise.catch(tolerate("…"))`. */
export function tolerate(during: string): (error: unknown) => undefined {
  return (error) => {
    reportError(error, { during, kind: "tolerated" });
    return undefined;
  };
}

/** Has errors of this process or page go to `sink` instead of the console; returns the function that undoes it. */
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
