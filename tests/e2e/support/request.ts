/**
 * How a route asks the server itself: a kept connection may be closed by the server at the very
 * moment in which it is used again, which is no answer.
 */
export const onceMore = { maxRetries: 2 };
