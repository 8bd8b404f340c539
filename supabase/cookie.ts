/**
 * The session cookie of every client. The name is set explicitly, because the default is derived
 * from the host, which differs between browser and server.
 */
export const authCookie = "palimpsest-auth";
