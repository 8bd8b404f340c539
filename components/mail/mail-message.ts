import * as z from "zod/mini";

const message = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  sentAt: z.string(),
});

/**
 * A mail that the embedded backend caught. The text contains every link in full. The HTML is never
 * shown.
 */
export type MailMessage = z.infer<typeof message>;

export const mailMessages = z.array(message);

type MailPart = { kind: "text"; text: string } | { kind: "link"; text: string; href: string };

const address = /https?:\/\/[^\s<>"')\]]+/g;

/**
 * Splits the text of a mail into words and links. Only http and https URLs become links. A link to
 * this workspace under another host (localhost, 127.0.0.1, the machine's name) becomes a path of
 * `origin`, so that the link opens in this browser's session.
 */
export function mailParts(text: string, origin: string): MailPart[] {
  const parts: MailPart[] = [];
  let last = 0;
  for (const found of text.matchAll(address)) {
    if (found.index > last) parts.push({ kind: "text", text: text.slice(last, found.index) });
    parts.push({ kind: "link", text: found[0], href: localHref(found[0], origin) });
    last = found.index + found[0].length;
  }
  if (last < text.length) parts.push({ kind: "text", text: text.slice(last) });
  return parts;
}

function localHref(href: string, origin: string): string {
  const url = new URL(href);
  const here = new URL(origin);
  const loopback = (name: string) =>
    name === "localhost" || name === "127.0.0.1" || name === "[::1]";
  const same =
    url.origin === here.origin ||
    (loopback(url.hostname) && loopback(here.hostname) && url.port === here.port);
  return same ? url.pathname + url.search + url.hash : href;
}
