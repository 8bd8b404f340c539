/** The addresses of the two people of the demo workspace, and their password, which is public. */
export const demoEmails = { ana: "ana@example.com", ben: "ben@example.com" };
export const demoPassword = "palimpsest";
