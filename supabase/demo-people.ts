/** The addresses of the demo workspace's two people, and their public password. */
export const demoEmails = { ana: "ana@example.com", ben: "ben@example.com" };
export const demoPassword = "palimpsest";
