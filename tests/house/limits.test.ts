import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { limits } from "@/events/core/limits";
import type { LimitName } from "@/events/core/limits";
import { sentence } from "@/events/log/refusal";
import type { RefusingLimit } from "@/events/log/refusal-reasons";
import { ofLog, others, said } from "./limit-tables";

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { encoding: "utf8" })
  .trim()
  .split("\n");
const text = (path: string) => readFileSync(path, "utf8");
/** The first number after these words, which must occur in this order in the file. */
function stated(place: string): number {
  const [, name = "", words = ""] = /^`([^`]+)` (.*)$/.exec(place) ?? [];
  const migration = readdirSync("supabase/migrations").find((file) => file.endsWith(`_${name}`));
  let rest = text(migration === undefined ? name : `supabase/migrations/${migration}`);
  for (const word of words.split(" ")) {
    const at = rest.indexOf(word);
    if (at < 0) return NaN;
    rest = rest.slice(at + word.length);
  }
  const [, scale, product = "", unit = ""] =
    /^[^0-9;]{0,80}?(kilobytes\()?([0-9][0-9_]*(?:\s*\*\*?\s*[0-9_]+)*)(\s*\* megabyte|MiB)?/.exec(
      rest,
    ) ?? [];
  if (product === "") return NaN;
  const value = product.split(/\s*(?<!\*)\*(?!\*)\s*/).reduce((sum, factor) => {
    const [base = NaN, power = 1] = factor
      .split("**")
      .map((part) => Number(part.replaceAll("_", "")));
    return sum * base ** power;
  }, 1);
  return value * (scale === undefined ? 1 : 1_000) * (unit === "" ? 1 : 1_048_576);
}

describe("docs/spec/limits.md", () => {
  it("[LIMIT-1] lists every limit of the log with its number and its sentence", () => {
    expect(
      Object.fromEntries(ofLog.map(([name = "", most = ""]) => [name.slice(1, -1), said(most)])),
    ).toEqual(limits);
    const wrong = ofLog.filter(([name = "", , words = ""]) => {
      const reason = name.slice(1, -1) as LimitName;
      const told = /^(reserve|small)_/.test(reason)
        ? ""
        : sentence({ name: "too-large", reason: reason as RefusingLimit });
      return !told.startsWith(words) || (words === "") !== (told === "");
    });
    expect(wrong).toEqual([]);
  });

  it("[LIMIT-1] has the numbers of the code at the places that it names", () => {
    const wrong = others.flatMap(([what, most = "", place = ""]) =>
      stated(place) === said(most)
        ? []
        : `${what}: ${said(most)}, and the code has ${stated(place)}`,
    );
    expect(wrong).toEqual([]);
    expect(others.length).toBeGreaterThan(70);
  });

  it("[LIMIT-1] names tests that cite the rule", () => {
    const wrong = [...ofLog, ...others].flatMap((cells) => {
      const [rule = "", file = ""] = cells.at(-1)?.split(" ") ?? [];
      if (rule === "") return [];
      return files.some((path) => basename(path) === file && text(path).includes(`[${rule}]`))
        ? []
        : `${cells[0]}: ${rule} ${file}`;
    });
    expect(wrong).toEqual([]);
  });

  it("[LIMIT-1] quotes the product's sentences", () => {
    const product = files
      .filter((path) =>
        /^(app|components|events|machines|supabase)\/.*(?<!\.test)\.tsx?$/.test(path),
      )
      .map(text)
      .join("\n");
    const quoted = others.flatMap(([, , , words = ""]) => (/^[A-Z]/.test(words) ? [words] : []));
    expect([...new Set(quoted)].filter((words) => !product.includes(words))).toEqual([]);
  });
});
