import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { licenceList, licensedPackages } from "../licence-list";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const packages = licensedPackages(read("package-lock.json"));

/**
 * What may be used in a product under the MIT licence; the LGPL's libraries are loaded, not linked
 * into ours, and Python's is that of what markdown-it reads the arguments of its command with. "BSD"
 * alone is how `duck`, which mammoth needs, states the two clauses that its file has.
 */
const accepted = new RegExp(
  "^(MIT(-0)?|Apache-2\\.0|BSD-[23]-Clause|0BSD|BSD|ISC|OFL-1\\.1|CC-BY-4\\.0|Unlicense|" +
    "LGPL-3\\.0-or-later|Python-2\\.0|Zlib)$",
);

/** What states its licence in a file alone, or where no lock file has it: MIT. */
const inFile = new Set(["format", "png-js"]);

describe("[HOUSE-18] the licences of what the product loads", () => {
  test("are listed as they stand in the lock file", () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(read("docs/licences.md"), "npm run licences").toBe(licenceList(packages));
  });

  test("are stated, and allow what is done with them", () => {
    const other = packages.filter(
      ({ name, licence }) =>
        (licence === null && !inFile.has(name)) ||
        !(licence ?? "MIT")
          .replace(/[()]/g, "")
          .split(" AND ")
          // Of what may be had under either one is chosen.
          .every((one) => one.split(" OR ").some((choice) => accepted.test(choice))),
    );
    expect(other).toEqual([]);
  });
});
