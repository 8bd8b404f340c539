/**
 * The session cookie of every client. Set explicitly, because its default name is derived from the
 * host, which differs between browser and server.
 */
export const authCookie = "palimpsest-auth";
