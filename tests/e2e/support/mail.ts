import { expect, inject } from "vitest";
import { z } from "zod";

const mails = z.array(z.object({ subject: z.string(), text: z.string() }));

/** Waits for caught mail to an address with this subject, and returns the newest text. */
export async function mailTo(address: string, subject: RegExp): Promise<string> {
  const caught = async () => {
    const answer = await fetch(
      `${inject("url")}/mail/messages.json?to=${encodeURIComponent(address)}`,
    );
    return mails.parse(await answer.json()).find((mail) => subject.test(mail.subject))?.text;
  };
  await expect.poll(caught).toBeDefined();
  return (await caught()) ?? "";
}

/** Returns path and query of the link in a mail. */
export function mailLink(text: string): string {
  const link = new URL(/https?:[^\s)]+/.exec(text)?.[0] ?? "");
  return link.pathname + link.search;
}
