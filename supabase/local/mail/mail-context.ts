import { AsyncLocalStorage } from "node:async_hooks";
import { signLinks } from "./mail-links";
import type { Mailbox } from "./mailbox";

/**
 * The part of a request that affects its mail: the URL under which the app was requested, and the
 * target of the link.
 */
type MailContext = { origin: string; redirect: string | null };

const context = new AsyncLocalStorage<MailContext>();

/** Runs an auth call so that the mails it causes use this context. */
export function withMailContext<T>(given: MailContext, call: () => Promise<T>): Promise<T> {
  return context.run(given, call);
}

/**
 * Wraps a mailbox to sign links and set their target to the requested URL: Lite only knows the
 * configured site and ignores `redirect_to`. A mail to `nobody` takes as much work as any other
 * mail, and is dropped.
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
