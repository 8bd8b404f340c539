import { StoreFault } from "@/events/log/store";

/**
 * Whether something may go well another time: nothing could be reached or had room, or something was
 * redacted while it was read.
 */
export const isPassing = (fault: unknown): fault is StoreFault =>
  fault instanceof StoreFault && (fault.retryable || fault.status === 409);
