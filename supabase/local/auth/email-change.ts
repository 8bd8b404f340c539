import { randomBytes } from "node:crypto";
import type { Sql } from "postgres";
import { filled } from "../mail/mail-template";
import type { Templates } from "../mail/mail-template";
import type { Mailbox } from "../mail/mailbox";
import { linkExpired } from "../http/refusals";

export type EmailChanges = {
  /** Starts an address change, mails both addresses, and returns the changed fields of the user. */
  ask(
    userId: string,
    newEmail: string,
  ): Promise<{ new_email: string; email_change_sent_at: string } | null>;
  /**
   * Accepts one of the two links: the first is recorded, the second makes Lite change the address.
   */
  confirm(hash: string, lite: (hash: string) => Promise<Response>): Promise<Response>;
};

type Options = {
  sql: Sql;
  mailbox: Mailbox;
  siteUrl: string;
  templates: Pick<Templates, "emailChange" | "addressTaken">;
  /** How long a link is valid, in seconds. */
  expiry: number;
};

/**
 * Changes addresses as a hosted project does, which Lite does not support: both addresses get a
 * mail and must confirm. A request for a taken address is accepted like any other, and the owner of
 * the address gets a notice without a link.
 */
export function emailChanges({ sql, mailbox, siteUrl, templates, expiry }: Options): EmailChanges {
  return {
    async ask(userId, newEmail) {
      const [current, next] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
      const [change] = await sql<{ email: string; sent: Date; taken: boolean }[]>`
        update auth.users set email_change = ${newEmail}, email_change_token_current = ${current},
        email_change_token_new = ${next},
          email_change_sent_at = now(), email_change_confirm_status = 0
        where id = ${userId} and email <> ${newEmail}
        returning email, email_change_sent_at as sent, exists (select from auth.users u where
          u.email = ${newEmail}) as taken`;
      if (!change) return null;
      const values = { SiteURL: siteUrl, Email: change.email, NewEmail: newEmail };
      await mailbox.send({
        to: change.email,
        ...filled(templates.emailChange, { ...values, TokenHash: current }),
      });
      const toNew = change.taken ? templates.addressTaken : templates.emailChange;
      await mailbox.send({ to: newEmail, ...filled(toNew, { ...values, TokenHash: next }) });
      return { new_email: newEmail, email_change_sent_at: change.sent.toISOString() };
    },

    async confirm(hash, lite) {
      // The row lock orders two links that are opened at the same time.
      const noted = await sql`
        update auth.users
        set email_change_confirm_status = 1,
          email_change_token_new = case when email_change_token_new = ${hash} then '' else email_change_token_new end
        where ${hash} in (email_change_token_current, email_change_token_new) and
          email_change_confirm_status = 0 and email <> ''
          and email_change_sent_at > now() - make_interval(secs => ${expiry})
        returning id`;
      if (noted.count > 0) return accepted();
      const [second] = await sql<{ current: string; taken: boolean }[]>`
        select email_change_token_current as current, exists (select from auth.users u where u.email
          = c.email_change) as taken from auth.users c
        where (email_change_token_new = ${hash} or (email_change_token_current = ${hash} and
          email_change_token_new = ''))
          and email_change_confirm_status = 1`;
      // An account with this address may have been created since the request.
      if (second) return second.taken ? linkExpired() : lite(second.current);
      const [again] =
        await sql`select from auth.users where email_change_token_current = ${hash} and
          email_change_confirm_status = 1`;
      return again ? accepted() : linkExpired();
    },
  };
}

/**
 * Returns hosted Supabase's response. It has no session, which tells clients that the change is
 * incomplete.
 */
function accepted(): Response {
  return Response.json({
    code: 200,
    msg: "Confirmation link accepted. Please proceed to confirm link sent to the other email",
  });
}
