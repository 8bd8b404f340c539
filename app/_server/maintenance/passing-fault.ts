import { StoreFault } from "@/events/log/store";

/**
 * Whether a failure is transient: a service was unreachable or overloaded, or content was redacted
 * while it was read.
 */
export const isPassing = (fault: unknown): fault is StoreFault =>
  fault instanceof StoreFault && (fault.retryable || fault.status === 409);
