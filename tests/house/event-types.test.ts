import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { aggregates, isEventType } from "@/machines/catalog";

const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
  encoding: "utf8",
})
  .split("\n")
  .filter((path) => /^(events|machines|components|app)\//.test(path))
  .filter((path) => !/\.(test|fixture)\.tsx?$/.test(path));

// A row's type may come from a newer version, so the compiler allows comparing it with any text.
it("[LOG-25] names only event types that exist", () => {
  const areas = new Set(
    aggregates.flatMap(({ schemas }) => Object.keys(schemas).map((type) => type.split(".")[0])),
  );
  const named = sources.flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/"(([a-z]+)\.[a-z_]+)"/g)].flatMap(
      ([, type = "", area]) => (areas.has(area) ? [{ path, type }] : []),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ type }) => !isEventType(type))).toEqual([]);
});
