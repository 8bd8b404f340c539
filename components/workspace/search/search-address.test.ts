import { expect, it } from "vitest";
import { filterCount, searchAddressIn, searchQueryOf, searchRequestOf } from "./search-address";

const read = (query: string) => searchAddressIn(new URLSearchParams(query));
const ana = "00000000-0000-4000-8000-000000000001";

it("[SEARCH-11] writes the search to its address, and reads it back", () => {
  const full = `?q=closed+on&in=ever&by=${ana}&from=2026-11-01&to=2026-11-12&at=2026-11-20&trash=1`;
  expect(searchQueryOf(read(full))).toBe(full);
  expect(filterCount(read(full))).toBe(5);
  expect(searchQueryOf(read(""))).toBe("");
  expect(searchQueryOf(read("?q=%25&in=never&by=x&from=yesterday&to=2026-13-45&at=1"))).toBe(
    "?q=%25",
  );
});

it("[SEARCH-11] reads days in the reader’s time zone", () => {
  const days = read("?q=a&from=2026-11-01&to=2026-11-01&at=2026-03-29");
  expect(searchRequestOf(days, "UTC")).toMatchObject({
    since: "2026-11-01T00:00:00.000Z",
    until: "2026-11-02T00:00:00.000Z",
    at: "2026-03-30T00:00:00.000Z",
  });
  expect(searchRequestOf(days, "Europe/Berlin")).toMatchObject({
    since: "2026-10-31T23:00:00.000Z",
    until: "2026-11-01T23:00:00.000Z",
    // The day on which summer time begins.
    at: "2026-03-29T22:00:00.000Z",
  });
  expect(searchRequestOf(days, "America/Los_Angeles").since).toBe("2026-11-01T07:00:00.000Z");
});
