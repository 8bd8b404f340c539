import { describe, expect, it } from "vitest";
import { ManualClock } from "./fake-client";
import { limitsOf, PresenceCalls, RateCounter } from "./limits";

describe("a rate", () => {
  it("[RT-50] lets a burst pass and triggers at the tick whose average reaches the limit", () => {
    const clock = new ManualClock();
    const rate = new RateCounter(100, clock);
    rate.add(1000);
    expect(rate.triggered).toBe(false);
    clock.advance(5000);
    expect(rate.average).toBe(100);
    expect(rate.triggered).toBe(true);
  });

  it("[RT-50] stays triggered until the average of a minute falls below the limit", () => {
    const clock = new ManualClock();
    const rate = new RateCounter(100, clock);
    for (let tick = 0; tick < 12; tick += 1) {
      rate.add(1000);
      clock.advance(5000);
    }
    expect(rate.average).toBe(200);
    clock.advance(25_000);
    expect(rate.triggered).toBe(true);
    clock.advance(10_000);
    expect(rate.triggered).toBe(false);
  });

  it("[RT-50] forgets everything in an hour of silence", () => {
    const clock = new ManualClock();
    const rate = new RateCounter(1, clock);
    rate.add(1_000_000);
    clock.advance(3_600_000);
    expect(rate.average).toBe(0);
    expect(rate.triggered).toBe(false);
  });

  it("[RT-51] is not counted without a plan", () => {
    const clock = new ManualClock();
    const rate = new RateCounter(limitsOf(undefined).messagesPerSecond, clock);
    rate.add(1_000_000);
    clock.advance(5000);
    expect(rate.triggered).toBe(false);
  });
});

describe("presence calls", () => {
  it("[RT-52] are five in thirty seconds, counted from the first", () => {
    const clock = new ManualClock();
    const calls = new PresenceCalls(clock);
    const five = [1, 2, 3, 4, 5].map(() => calls.admit());
    expect(five).toEqual([true, true, true, true, true]);
    clock.advance(30_000);
    expect(calls.admit()).toBe(false);
    clock.advance(1);
    expect(calls.admit()).toBe(true);
  });
});

describe("a plan", () => {
  it("[RT-51] has the limits of the hosted one", () => {
    expect(limitsOf("free")).toMatchObject({
      connections: 200,
      messagesPerSecond: 100,
      presencePerSecond: 20,
      payloadBytes: 256_500,
    });
    expect(limitsOf("pro")).toMatchObject({
      connections: 500,
      messagesPerSecond: 500,
      presencePerSecond: 50,
      payloadBytes: 3_000_500,
    });
    expect(limitsOf("team")).toMatchObject({
      connections: 10_000,
      messagesPerSecond: 2500,
      presencePerSecond: 1000,
    });
  });

  it("[RT-51] is not changed through the limits of one server", () => {
    limitsOf("free").connections = 1;
    expect(limitsOf("free").connections).toBe(200);
  });
});
