import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { misnamed } from "./migration-names";

const names = readdirSync("supabase/migrations");

it("[HOUSE-22] each migration has a unique version, and the files sort by it", () => {
  expect(names.length).toBeGreaterThan(0);
  expect(misnamed(names)).toEqual([]);
});

it("[HOUSE-22] finds two migrations of one version", () => {
  const twice = ["20261128120500_waiting_work.sql", "20261128120500_bounded_batches.sql"];
  expect(misnamed(["20261128120300_law.sql", ...twice])).toEqual([
    "20261128120500 is the version of 20261128120500_bounded_batches.sql and 20261128120500_waiting_work.sql",
  ]);
});

it.each([
  // Sorts after every version of 14 digits with a smaller start.
  "2026112812_short.sql",
  // Accepted by the Supabase CLI, but skipped by a start.
  "20261128120500-dashes.sql",
  "20261128120500_Capital.sql",
  "20261328120500_no_month.sql",
  "20261128250500_no_hour.sql",
  "20261131120500_no_day.sql",
  "notes.md",
])("[HOUSE-22] finds %s, which is not named <time>_<name>.sql", (name) => {
  expect(misnamed([name])).toEqual([`${name} is not named <YYYYMMDDHHMMSS>_<name>.sql`]);
});
