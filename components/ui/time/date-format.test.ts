import { afterEach, expect, it, vi } from "vitest";
import { dateFormat, mostFormats } from "./date-format";
import { byDay, dateTimeOf, dayOrTimeOf, whenOf } from "./day-words";

afterEach(() => vi.unstubAllGlobals());

const day = 86_400_000;

it("[DOCS-19] a list of a thousand dates creates at most six formats", () => {
  let made = 0;
  class Counted extends Intl.DateTimeFormat {
    constructor(...of: ConstructorParameters<typeof Intl.DateTimeFormat>) {
      super(...of);
      made += 1;
    }
  }
  vi.stubGlobal("Intl", Object.create(Intl, { DateTimeFormat: { value: Counted } }));
  const at = { now: Date.parse("2026-11-28T12:00:00Z"), zone: "Asia/Kathmandu" };
  const times = Array.from({ length: 1_000 }, (_, row) =>
    new Date(at.now - (row * day) / 2).toISOString(),
  );
  byDay(times, (time) => time, at);
  for (const time of times) {
    whenOf(time, at);
    dayOrTimeOf(time, at);
    dateTimeOf(time, at);
  }
  expect(made).toBeGreaterThan(0);
  expect(made).toBeLessThanOrEqual(6);
});

it("caches a bounded number of formats by locale, zone and style", () => {
  const noon = Date.parse("2026-11-28T12:00:00Z");
  const hour = (timeZone: string) =>
    dateFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit" }).format(noon);
  expect([hour("UTC"), hour("Asia/Kathmandu"), hour("UTC")]).toEqual(["12:00", "17:45", "12:00"]);
  expect(dateFormat("en-CA", { timeZone: "UTC" }).format(noon)).toBe("2026-11-28");

  const first = dateFormat("en-GB", { timeZone: "UTC" });
  expect(dateFormat("en-GB", { timeZone: "UTC" })).toBe(first);
  for (let style = 0; style < mostFormats; style += 1)
    dateFormat(`en-GB-x-${style}`, { timeZone: "UTC" });
  expect(dateFormat("en-GB", { timeZone: "UTC" })).not.toBe(first);
});
