import { AsyncLocalStorage } from "node:async_hooks";
import { signLinks } from "./mail-links";
import type { Mailbox } from "./mailbox";

/**
 * What a request says about the mail it causes: the address the app was asked under, and where the
 * link should lead.
 */
type MailContext = { origin: string; redirect: string | null };

const context = new AsyncLocalStorage<MailContext>();

/** Runs a call to auth so that the mails it causes are addressed as `given` says. */
export function withMailContext<T>(given: MailContext, call: () => Promise<T>): Promise<T> {
  return context.run(given, call);
}

/**
 * A mailbox whose links lead where the request wanted, for Lite knows only the configured site and
 * ignores `redirect_to`, and are signed. A mail to `nobody` costs what another costs, and is not
 * kept.
 */
export function addressed(
  mailbox: Mailbox,
  { siteUrl, secret, nobody }: { siteUrl: string; secret: string; nobody: string },
): Mailbox {
  return {
    ...mailbox,
    send(mail) {
      const { origin, redirect } = context.getStore() ?? { origin: siteUrl, redirect: null };
      const next = `next=${encodeURIComponent(redirect ?? origin)}`;
      const html = mail.html?.replaceAll(`next=${siteUrl}`, next).replaceAll(siteUrl, origin);
      const signed = { ...mail, html: html && signLinks(html, secret) };
      return mail.to === nobody ? mailbox.drop(signed) : mailbox.send(signed);
    },
  };
}
