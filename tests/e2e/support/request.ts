/**
 * Options for a route that asks the server itself: the server may close a keep-alive connection
 * just as it is reused, which is no answer.
 */
export const onceMore = { maxRetries: 2 };
