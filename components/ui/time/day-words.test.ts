import { expect, it } from "vitest";
import { byDay, dayHeading, dayOf, dateTimeOf, whenOf } from "./day-words";

const at = { now: Date.parse("2026-11-21T00:30:00Z"), zone: "UTC" };
const berlin = { ...at, zone: "Europe/Berlin" };
const newYork = { ...at, zone: "America/New_York" };

it("tells days in the reader's zone, not in that of the server", () => {
  expect(dayHeading("2026-11-20T23:30:00Z", at)).toBe("Yesterday");
  expect(dayHeading("2026-11-20T23:30:00Z", berlin)).toBe("Today");
  expect(dayHeading("2026-11-20T04:00:00Z", newYork)).toBe("Yesterday");
});

it("calls the rest of this month earlier, other months by name, other years with their number", () => {
  expect(dayHeading("2026-11-19T12:00:00Z", at)).toBe("Earlier in November");
  expect(dayHeading("2026-10-31T12:00:00Z", at)).toBe("October");
  expect(dayHeading("2025-11-19T12:00:00Z", at)).toBe("November 2025");
});

it("says when, shortly beside a heading and wholly when it stands alone", () => {
  expect(whenOf("2026-11-21T00:29:30Z", at)).toBe("just now");
  expect(whenOf("2026-11-20T17:30:00Z", at)).toBe("17:30");
  expect(whenOf("2026-11-17T17:30:00Z", at)).toBe("17 November");
  expect(dateTimeOf("2026-11-20T17:30:00Z", at)).toBe("yesterday at 17:30");
  expect(dayOf("2025-11-17T17:30:00Z", at)).toBe("17 November 2025");
});

it("takes a clock that runs ahead for now", () => {
  expect(whenOf("2026-11-21T00:35:00Z", at)).toBe("just now");
  expect(dayHeading("2026-11-22T12:00:00Z", at)).toBe("Today");
});

it("keeps the order of what it groups", () => {
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
