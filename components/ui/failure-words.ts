import { StoreFault } from "@/events/log/store";

/**
 * The kind of failure: nothing was sent, no answer arrived, the server gave a reason, or a fault of
 * the product.
 */
type Failure =
  | "offline"
  | "unanswered"
  | "unfetched"
  | "intercepted"
  | "signed-out"
  | "no-access"
  | "too-large"
  | "too-often"
  | "refusing"
  | "fault";

const unfetched =
  /ChunkLoadError|dynamically imported module|module script failed|Importing a module|Load(ing)? (failed|chunk)/i;

function failureOf(fault: unknown, online: boolean): Failure {
  if (fault instanceof StoreFault) {
    const { status } = fault;
    if (status === 0) return online ? "unanswered" : "offline";
    if (fault.foreign && status < 500 && status !== 413 && status !== 429) return "intercepted";
    if (status === 401) return "signed-out";
    if (status === 403 || status === 404) return "no-access";
    if (status === 413) return "too-large";
    if (status === 429) return "too-often";
    return fault.retryable ? "refusing" : "fault";
  }
  if (fault instanceof Error && unfetched.test(`${fault.name} ${fault.message}`))
    return online ? "unfetched" : "offline";
  return "fault";
}

const causes: Record<Failure, [what: string, then: string]> = {
  offline: ["You are offline.", "try again when you are back online"],
  unanswered: ["The server could not be reached.", "try again in a moment"],
  unfetched: ["A part of this page could not be fetched.", "reload the page and try again"],
  intercepted: [
    "Something else answered in the server’s place, such as a proxy or a network’s login page.",
    "try again, or on another network",
  ],
  "signed-out": ["You have been signed out.", "sign in and try again"],
  "no-access": ["You have no access to this any more.", "ask an owner of the workspace"],
  "too-large": ["This is more than the server takes at once.", "try a smaller piece"],
  "too-often": ["These were too many tries in a short time.", "wait a minute and try again"],
  refusing: ["The server could not do this now.", "try again in a moment"],
  fault: ["This failed, through no mistake of yours.", "reload the page and try again"],
};

/**
 * Describes a failed action in one or two sentences: what happened, `outcome` (the effect on the
 * text, such as "Nothing was merged"), and what to do.
 */
export function failureWords(fault: unknown, outcome: string, online: boolean): string {
  const [what, then] = causes[failureOf(fault, online)];
  return `${what} ${outcome}; ${then}.`;
}

/**
 * Describes a failed request to record something. Without an answer, the sentence says that it may
 * have been recorded.
 */
export function unsureWords(fault: unknown, outcome: string, online: boolean): string {
  const failure = failureOf(fault, online);
  if (failure !== "unanswered" && failure !== "refusing")
    return failureWords(fault, outcome, online);
  return (
    "The server did not answer in time. It may have been done all the same; look at the " +
    "document before you try again."
  );
}

/** Reports a fault unless it is an expected failure of the network or the server. */
export function reportUnexpected(fault: unknown): void {
  if (failureOf(fault, true) === "fault") reportError(fault);
}
