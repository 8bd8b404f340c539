/**
 * The session cookie of every client; explicit, because its default is derived from a host that
 * differs between browser and server.
 */
export const authCookie = "palimpsest-auth";
