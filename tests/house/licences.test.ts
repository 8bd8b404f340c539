import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { licenceList, licensedPackages } from "../licence-list";

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const packages = licensedPackages(read("package-lock.json"));

/**
 * Licences that a product under MIT may use. LGPL libraries are loaded, not linked into ours.
 * Python-2.0 is for argparse, with which markdown-it parses its command line. "BSD" alone is how
 * `duck`, a dependency of mammoth, names the two-clause licence in its file.
 */
const accepted = new RegExp(
  "^(MIT(-0)?|Apache-2\\.0|BSD-[23]-Clause|0BSD|BSD|ISC|OFL-1\\.1|CC-BY-4\\.0|Unlicense|" +
    "LGPL-3\\.0-or-later|Python-2\\.0|Zlib)$",
);

/** MIT packages whose licence is stated only in a file, or is missing from the lock file. */
const inFile = new Set(["format", "png-js"]);

describe("[HOUSE-18] the licences of the product's packages", () => {
  test("match the lock file", () => {
    expect(packages.length).toBeGreaterThan(100);
    expect(read("docs/licences.md"), "npm run licences").toBe(licenceList(packages));
  });

  test("are stated, and permit the product's use", () => {
    const other = packages.filter(
      ({ name, licence }) =>
        (licence === null && !inFile.has(name)) ||
        !(licence ?? "MIT")
          .replace(/[()]/g, "")
          .split(" AND ")
          // A choice of licences is accepted if one of them is.
          .every((one) => one.split(" OR ").some((choice) => accepted.test(choice))),
    );
    expect(other).toEqual([]);
  });
});
