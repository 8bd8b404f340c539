import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const files = execFileSync("git", ["ls-files", "*.test.ts", "*.test.tsx"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "");
/** The call that mocks a module, split so that this file does not match. */
const mock = ["vi", "mock("].join(".");

/** The modules that a file mocks without resetting: later files share its worker's modules. */
function left(file: string): string[] {
  const source = readFileSync(file, "utf8");
  const [, ...mocks] = source.split(mock);
  const isReset = /afterAll\(\(\) => \{[^}]*vi\.resetModules\(\);/.test(source);
  return mocks.flatMap((each) => {
    const name = /^"([^"]+)"/.exec(each)?.[1] ?? "?";
    return isReset && source.includes(`vi.doUnmock("${name}");`) ? [] : [`${file}: ${name}`];
  });
}

it("[HOUSE-20] every test resets the modules that it mocked", () => {
  expect(files.filter((file) => readFileSync(file, "utf8").includes(mock)).length).toBeGreaterThan(
    5,
  );
  expect(files.flatMap(left)).toEqual([]);
});
