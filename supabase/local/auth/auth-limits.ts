import type { LimitKind } from "./auth-endpoints";
import type { ProjectConfig } from "../config";
import { networkOf } from "../http/network";
import { RateLimiter } from "../http/rate-limit";

const fiveMinutes = 300;

/**
 * An attempt: its kind, its network address, and the account: the caller's id, or an address in
 * canonical form.
 */
export type Attempt = { limitKind: LimitKind | null; peer: string; account: string | null };

export type AuthLimits = {
  /** Counts an attempt, and returns 0 or the seconds to wait. */
  take(attempt: Attempt): number;
  /** Returns an attempt to the budget, since a correct password is not a guess. */
  succeeded(attempt: Attempt): void;
  /** Whether another mail may be sent to this account's address. Counts like a requested mail. */
  mayMail(account: string): boolean;
};

/**
 * Limits sign-in, sign-up, recovery, one-time codes and password changes per network address and
 * per account; `now` is in milliseconds.
 */
export function authLimits(
  limits: ProjectConfig["auth"]["rate_limit"],
  perPeer: number | null,
  now: () => number,
): AuthLimits {
  const each = (most: number, seconds = fiveMinutes) => new RateLimiter({ most, seconds }, now);
  const byPeer: Record<LimitKind, RateLimiter> = {
    signIn: each(perPeer ?? limits.sign_in_sign_ups),
    signUp: each(perPeer ?? limits.sign_in_sign_ups),
    refresh: each(perPeer ?? limits.token_refresh),
    verify: each(perPeer ?? limits.token_verifications),
    mail: each(perPeer ?? limits.email_sent, 3600),
    password: each(perPeer ?? limits.sign_in_sign_ups),
  };
  // An account's own limit prevents guessing from many addresses, so no setting raises it.
  const byAccount: Record<LimitKind, RateLimiter> = {
    signIn: each(10),
    signUp: each(10),
    refresh: each(10),
    verify: each(10),
    mail: each(10, 3600),
    password: each(10),
  };
  return {
    take({ limitKind, peer, account }) {
      if (limitKind === null) return 0;
      const wait = byPeer[limitKind].take(networkOf(peer));
      // Attempts beyond the network's limit do not count against the account, or they would lock
      // out its owner.
      if (wait > 0 || account === null) return wait;
      return byAccount[limitKind].take(account);
    },
    succeeded({ limitKind, peer, account }) {
      if (limitKind !== "signIn") return;
      byPeer.signIn.giveBack(networkOf(peer));
      if (account !== null) byAccount.signIn.giveBack(account);
    },
    mayMail: (account) => byAccount.mail.take(account) === 0,
  };
}
