import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { storedText } from "../operations/stored-text";

const caughtSchema = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  sentAt: z.string(),
});
/** A mail that was caught instead of sent. `sentAt` is an ISO time. */
export type CaughtMail = z.infer<typeof caughtSchema>;

export type OutgoingMail = {
  to: string;
  subject: string;
  html?: string | undefined;
  text?: string | undefined;
};

export type Mailbox = {
  /** Returns caught mail, newest first. `to` filters by address. */
  messages(to?: string): CaughtMail[];
  send(mail: OutgoingMail): Promise<void>;
  /** Does the same work as `send` without storing the mail, so that timing does not differ. */
  drop(mail: OutgoingMail): Promise<void>;
};

/** The number of mails kept in total, and per address. */
const mostMails = 500;
const mostOfAddress = 20;

/**
 * Opens the mailbox of a data folder, which stores the embedded backend's mail and is shown at
 * /mail.
 */
export async function openMailbox(folder: string): Promise<Mailbox> {
  const file = join(folder, "mail.json");
  const stored = (await storedText(file)) ?? "[]";
  let mails = parseMails(stored);
  let writing = Promise.resolve();
  const save = async () => {
    await writeFile(`${file}.new`, JSON.stringify(mails), { mode: 0o600 });
    await rename(`${file}.new`, file);
  };
  return {
    messages: (to) =>
      to ? mails.filter((mail) => mail.to.toLowerCase() === to.toLowerCase()) : mails,
    async send(outgoing) {
      mails = newest([caught(outgoing), ...mails]);
      writing = writing.then(save, save);
      await writing;
    },
    async drop(outgoing) {
      caught(outgoing);
      writing = writing.then(save, save);
      await writing;
    },
  };
}

/** Returns the newest mails of each address, so that no address displaces others' mail. */
function newest(mails: CaughtMail[]): CaughtMail[] {
  const counts = new Map<string, number>();
  return mails
    .filter(({ to }) => {
      const count = (counts.get(to.toLowerCase()) ?? 0) + 1;
      counts.set(to.toLowerCase(), count);
      return count <= mostOfAddress;
    })
    .slice(0, mostMails);
}

function caught({ to, subject, html = "", text }: OutgoingMail): CaughtMail {
  // Our templates are HTML; Lite's plain text contains a link that the app does not serve.
  return {
    id: randomUUID(),
    to,
    subject,
    html,
    text: html ? plainText(html) : (text ?? ""),
    sentAt: new Date().toISOString(),
  };
}

/** Converts a mail's simple HTML to text, with link URLs in parentheses. */
export function plainText(html: string): string {
  return html
    .replace(/<(style|head)[\s\S]*?<\/\1>/gi, "")
    .replace(/<a\b[^>]*?href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/gi, "$2 ($1)")
    .replace(/<\/(p|h\d|div|li)>|<br\s*\/?>/gi, "\n")
    .replace(/<[^>]+>/g, "")
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&")
    .split("\n")
    .map((line) => line.trim())
    .filter((line, index, lines) => line || lines[index - 1])
    .join("\n")
    .trim();
}

function parseMails(text: string): CaughtMail[] {
  try {
    return z.array(caughtSchema).parse(JSON.parse(text));
  } catch {
    // Caught mail is a convenience; a damaged file must not prevent a start.
    return [];
  }
}
