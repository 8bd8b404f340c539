import { z } from "zod";
import { same } from "../auth/api-key";
import type { Keys } from "../keys";
import type { Mailbox } from "./mailbox";
import { refusal } from "../http/refusals";

const outgoingSchema = z.object({
  to: z.email(),
  subject: z.string().max(500),
  html: z.string(),
  text: z.string().optional(),
});

/**
 * Answers `GET /mail/messages.json?to=<address>` with caught mail, newest first. Restricted to this
 * machine (`isOwn`), because mail contains sign-in links.
 */
export function listMail(mailbox: Mailbox, isOwn: boolean, to: string | null): Response {
  return isOwn ? Response.json(mailbox.messages(to ?? undefined)) : mailIsClosed();
}

export function mailIsClosed(): Response {
  return refusal(
    403,
    "not_permitted",
    "Caught mail is read on the machine that runs the workspace, under localhost; where SITE_URL or ALLOWED_HOSTS is set, only with MAIL_PAGE=1.",
  );
}

/** Whether a request has the secret key as bearer token, as functions that send mail do. */
export function isMailSender({ headers }: Request, keys: Keys): boolean {
  return same(
    /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "",
    keys.secretKey,
  );
}

/**
 * Answers `POST /mail/messages.json`, and catches a function's mail, `{ to, subject, html, text?
 * }`.
 */
export async function catchMail(mailbox: Mailbox, request: Request): Promise<Response> {
  const mail = outgoingSchema.safeParse(await request.json().catch(() => null));
  if (!mail.success)
    return refusal(400, "invalid_mail", "A mail requires an address, a subject and HTML.");
  await mailbox.send(mail.data);
  return new Response(null, { status: 204 });
}
