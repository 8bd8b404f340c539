import { expect, it } from "vitest";
import { byDay, dayHeading, dayOf, dateTimeOf, whenOf } from "./day-words";

const at = { now: Date.parse("2026-11-21T00:30:00Z"), zone: "UTC" };
const berlin = { ...at, zone: "Europe/Berlin" };
const newYork = { ...at, zone: "America/New_York" };

it("names days in the reader’s zone, not the server’s", () => {
  expect(dayHeading("2026-11-20T23:30:00Z", at)).toBe("Yesterday");
  expect(dayHeading("2026-11-20T23:30:00Z", berlin)).toBe("Today");
  expect(dayHeading("2026-11-20T04:00:00Z", newYork)).toBe("Yesterday");
});

it("says “earlier” for this month, names other months, and adds other years", () => {
  expect(dayHeading("2026-11-19T12:00:00Z", at)).toBe("Earlier in November");
  expect(dayHeading("2026-10-31T12:00:00Z", at)).toBe("October");
  expect(dayHeading("2025-11-19T12:00:00Z", at)).toBe("November 2025");
});

it("gives a short time beside a heading, and a full one elsewhere", () => {
  expect(whenOf("2026-11-21T00:29:30Z", at)).toBe("just now");
  expect(whenOf("2026-11-20T17:30:00Z", at)).toBe("17:30");
  expect(whenOf("2026-11-17T17:30:00Z", at)).toBe("17 November");
  expect(dateTimeOf("2026-11-20T17:30:00Z", at)).toBe("yesterday at 17:30");
  expect(dayOf("2025-11-17T17:30:00Z", at)).toBe("17 November 2025");
});

it("reads a time in the future as now", () => {
  expect(whenOf("2026-11-21T00:35:00Z", at)).toBe("just now");
  expect(dayHeading("2026-11-22T12:00:00Z", at)).toBe("Today");
});

it("groups by day and keeps the order", () => {
  const times = [
    "2026-11-21T00:10:00Z",
    "2026-11-20T20:00:00Z",
    "2026-11-20T19:00:00Z",
    "2026-11-03T10:00:00Z",
  ];
  expect(byDay(times, (time) => time, at)).toEqual([
    { heading: "Today", items: times.slice(0, 1) },
    { heading: "Yesterday", items: times.slice(1, 3) },
    { heading: "Earlier in November", items: times.slice(3) },
  ]);
});
