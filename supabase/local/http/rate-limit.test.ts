import { describe, expect, test, vi } from "vitest";
import { authLimits } from "../auth/auth-limits";
import { RateLimiter } from "./rate-limit";

describe("a rate limit", () => {
  test("[API-4] allows its number, then says how long to wait, and refills evenly", () => {
    let now = 0;
    const limiter = new RateLimiter({ most: 3, seconds: 60 }, () => now);
    expect([1, 2, 3, 4].map(() => limiter.take("ana"))).toEqual([0, 0, 0, 20]);
    expect(limiter.take("ben")).toBe(0);
    now = 20_000;
    expect([limiter.take("ana"), limiter.take("ana")]).toEqual([0, 20]);
  });

  test("[API-4] gives back a successful try, but never more than were taken", () => {
    const limiter = new RateLimiter({ most: 1, seconds: 60 }, () => 0);
    limiter.giveBack("ana");
    expect([limiter.take("ana"), limiter.take("ana")]).toEqual([0, 60]);
    limiter.giveBack("ana");
    expect(limiter.take("ana")).toBe(0);
  });

  test("[API-4] locks no caller out longer after the clock is set back", () => {
    let now = 1_000_000;
    const limiter = new RateLimiter({ most: 2, seconds: 2 }, () => now);
    limiter.take("ana");
    now = 0;
    expect(limiter.take("ana")).toBe(0);
    expect(limiter.take("ana")).toBe(1);
  });

  test(
    "[API-15] scans its keys only when they have doubled since the last scan, and " +
      "forgets the full ones",
    () => {
      let now = 0;
      const limiter = new RateLimiter({ most: 1, seconds: 60 }, () => now);
      const scans = vi.spyOn(Map.prototype, Symbol.iterator);
      try {
        const wave = (name: string) => {
          for (let index = 0; index < 45_000; index += 1) limiter.take(`${name} ${index}`);
          return scans.mock.calls.length;
        };
        // Scans happen beyond 10 000, 20 002 and 40 006 keys, then beyond 80 014. That scan drops
        // 45 000 keys, so the next scan happens beyond 70 030.
        expect(wave("first")).toBe(3);
        now = 60_000;
        expect(wave("second")).toBe(4);
        now = 120_000;
        expect(wave("third")).toBe(5);
      } finally {
        scans.mockRestore();
      }
    },
  );
});

describe("the limits on auth calls", () => {
  const perFiveMinutes = {
    email_sent: 5,
    token_refresh: 5,
    sign_in_sign_ups: 5,
    token_verifications: 5,
  };
  const signIn = (peer: string, account: string) => ({
    limitKind: "signIn" as const,
    peer,
    account,
  });

  test("[API-4] stop guessing one account from many network addresses", () => {
    const limits = authLimits(perFiveMinutes, 1_000_000, () => 0);
    const waits = Array.from({ length: 200 }, (_, index) =>
      limits.take(signIn(`10.0.0.${index}`, "ana@example.com")),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
  });

  test("[API-4] stop trying many accounts from one network address", () => {
    const limits = authLimits(perFiveMinutes, null, () => 0);
    const waits = Array.from({ length: 200 }, (_, index) =>
      limits.take(signIn("10.0.0.1", `person${index}@example.com`)),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(5);
  });

  test.each(["signIn", "mail"] as const)(
    "[API-15] let an address without tries use up none of an account's (%s)",
    (limitKind) => {
      const limits = authLimits(perFiveMinutes, null, () => 0);
      const tryAs = (peer: string, account: string) => limits.take({ limitKind, peer, account });
      for (let index = 0; index < 5; index += 1)
        expect(tryAs("10.0.0.1", `person${index}@example.com`)).toBe(0);
      for (let index = 0; index < 200; index += 1)
        expect(tryAs("10.0.0.1", "ana@example.com")).toBeGreaterThan(0);
      expect(tryAs("10.0.0.2", "ana@example.com")).toBe(0);
    },
  );

  test("[API-4] count the addresses of one IPv6 network as one caller", () => {
    const limits = authLimits(perFiveMinutes, null, () => 0);
    const peers = Array.from(
      { length: 20 },
      (_, index) => `2001:db8:${index % 2 ? "0" : "0000"}:7::${index.toString(16)}`,
    );
    expect(
      peers.filter((peer, index) => limits.take(signIn(peer, `person${index}@example.com`)) === 0),
    ).toHaveLength(5);
    expect(limits.take(signIn("2001:db8:0:8::1", "ben@example.com"))).toBe(0);
    const mapped = [
      "10.0.0.9",
      "::ffff:10.0.0.9",
      "10.0.0.9",
      "::ffff:10.0.0.9",
      "10.0.0.9",
      "::FFFF:10.0.0.9",
    ];
    expect(
      mapped.filter((peer, index) => limits.take(signIn(peer, `other${index}@example.com`)) === 0),
    ).toHaveLength(5);
  });

  test("[API-4] do not count a right password", () => {
    const limits = authLimits(perFiveMinutes, null, () => 0);
    const call = signIn("10.0.0.1", "ana@example.com");
    for (let index = 0; index < 50; index += 1) {
      expect(limits.take(call)).toBe(0);
      limits.succeeded(call);
    }
  });

  test.each(["signIn", "signUp", "refresh", "verify", "mail"] as const)(
    "[API-4] cover %s",
    (limitKind) => {
      const limits = authLimits(perFiveMinutes, null, () => 0);
      const waits = Array.from({ length: 6 }, () =>
        limits.take({ limitKind, peer: "10.0.0.1", account: null }),
      );
      expect(waits.slice(0, 5)).toEqual([0, 0, 0, 0, 0]);
      expect(waits[5]).toBeGreaterThan(0);
    },
  );

  test("[API-4] do not cover calls without a kind of limit", () => {
    const limits = authLimits(perFiveMinutes, null, () => 0);
    const waits = Array.from({ length: 50 }, () =>
      limits.take({ limitKind: null, peer: "10.0.0.1", account: null }),
    );
    expect(Math.max(...waits)).toBe(0);
  });
});

describe("the configured limits on auth calls", () => {
  const perPeer = {
    sign_in_sign_ups: 60,
    token_refresh: 300,
    token_verifications: 30,
    email_sent: 60,
  };
  const ana = "ana@example.com";
  const counted = (count: number, take: () => number) =>
    Array.from({ length: count }, take).filter((wait) => wait > 0).length;

  test.each([
    ["signIn", perPeer.sign_in_sign_ups],
    ["signUp", perPeer.sign_in_sign_ups],
    ["refresh", perPeer.token_refresh],
    ["verify", perPeer.token_verifications],
    ["mail", perPeer.email_sent],
  ] as const)("[LIMIT-5] %s: %i from an address, and the next one waits", (limitKind, most) => {
    const limits = authLimits(perPeer, null, () => 0);
    const take = () => limits.take({ limitKind, peer: "192.0.2.1", account: null });
    expect(counted(most - 1, take)).toBe(0);
    expect([take(), take() > 0]).toEqual([0, true]);
    expect(limits.take({ limitKind, peer: "192.0.2.2", account: null })).toBe(0);
  });

  test.each(["signIn", "signUp", "refresh", "verify", "mail"] as const)(
    "[LIMIT-5] %s: ten for an account, from however many addresses",
    (limitKind) => {
      const limits = authLimits(perPeer, null, () => 0);
      let peer = 0;
      const take = () => limits.take({ limitKind, peer: `192.0.${(peer += 1)}.1`, account: ana });
      expect(counted(9, take)).toBe(0);
      expect([take(), take() > 0]).toEqual([0, true]);
    },
  );
});
