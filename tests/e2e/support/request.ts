/**
 * Options for a route handler's own requests to the server. The server may close a keep-alive
 * connection at the moment of its reuse, which is not a response.
 */
export const onceMore = { maxRetries: 2 };
