import { beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "./fake-client";
import { Liveness } from "./liveness";
import type { Watch } from "./liveness";

describe("a connection", () => {
  let clock: ManualClock;
  let did: string[];
  let idle: boolean;
  let watch: Watch;
  beforeEach(() => {
    clock = new ManualClock();
    did = [];
    idle = false;
    watch = new Liveness(clock).watch({
      ping: () => did.push("ping"),
      close: () => did.push("close"),
      cut: () => did.push("cut"),
      idle: () => idle,
    });
  });

  it("[RT-14] that answers no ping is cut off within half a minute", () => {
    clock.advance(20_000);
    expect(did).toEqual(["ping", "ping", "ping"]);
    clock.advance(5000);
    expect(did.at(-1)).toBe("cut");
  });

  it("[RT-14] that answers pings but sends nothing for a minute is cut off", () => {
    for (let second = 0; second < 55; second += 1) {
      clock.advance(1000);
      watch.heardPong();
    }
    expect(did).not.toContain("cut");
    clock.advance(5000);
    expect(did).toContain("cut");
  });

  it("[RT-14] that sends heartbeats stays open, and is not pinged meanwhile", () => {
    for (let minute = 0; minute < 60; minute += 1) {
      for (let beat = 0; beat < 12; beat += 1) {
        clock.advance(5000);
        watch.heardData();
      }
    }
    expect(did).toEqual([]);
  });

  it("[RT-14] that joined nothing for ten minutes is closed", () => {
    idle = true;
    for (let beat = 0; beat < 119; beat += 1) {
      clock.advance(5000);
      watch.heardData();
    }
    expect(did).toEqual([]);
    clock.advance(5000);
    expect(did).toEqual(["close"]);
  });

  it("[RT-14] is forgotten when it ends", () => {
    watch.forget();
    clock.advance(600_000);
    expect(did).toEqual([]);
  });
});
