import { describe, expect, it } from "vitest";
import { flushInterval } from "./message-budget";

describe("the message budget", () => {
  it("sends every letter at once where no limit is known", () => {
    expect(flushInterval({ listeners: 50, typists: 50, limit: null, limitHits: 0 })).toBe(0);
  });

  it("keeps all typists together below the limit, however many join", () => {
    for (const limit of [100, 500, 2_500]) {
      for (let people = 1; people <= 50; people += 1) {
        const interval = flushInterval({ listeners: people, typists: people, limit, limitHits: 0 });
        const perSecond = (people * 2 * (1 + people) * 1_000) / interval;
        if (interval < 10_000) expect(perSecond).toBeLessThanOrEqual(limit * 0.5 + 1e-9);
      }
    }
  });

  it("backs off from an unknown limit, further with each hit", () => {
    const at = (limitHits: number) =>
      flushInterval({ listeners: 4, typists: 2, limit: null, limitHits });
    expect(at(1)).toBeGreaterThan(0);
    expect(at(2)).toBeGreaterThan(at(1));
  });
});
