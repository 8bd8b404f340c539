import fc from "fast-check";
import { expect, it } from "vitest";
import { measureJson } from "./json-measure";

const measure = (text: string) => measureJson(new TextEncoder().encode(text));

function measured(value: unknown): ReturnType<typeof measureJson> {
  if (typeof value !== "object" || value === null)
    return { depth: 0, values: 0, members: 0, outermost: 0 };
  const children = Object.values(value);
  const below = children.map(measured);
  return {
    depth: 1 + Math.max(0, ...below.map(({ depth }) => depth)),
    values: children.length + below.reduce((sum, { values }) => sum + values, 0),
    members:
      (Array.isArray(value) ? 0 : children.length) +
      below.reduce((sum, { members }) => sum + members, 0),
    outermost: children.length,
  };
}

it("[API-70] measures a JSON text as its value", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 6, stringUnit: "binary" }),
      fc.constantFrom("", " ", "\t"),
      (value, space) => {
        expect(measure(JSON.stringify(value, null, space))).toEqual(measured(value));
      },
    ),
  );
});

it("[API-70] measures punctuation in strings as text", () => {
  expect(measure('["[{,\\"]}", "\\\\", {"a,[": 1}]')).toEqual({
    depth: 2,
    values: 4,
    members: 1,
    outermost: 3,
  });
});

it("[API-70] measures text that is not JSON without failing", () => {
  for (const text of ["", "]]]", '"', '"\\', "[,,,", "{".repeat(500_000)])
    expect(() => measure(text)).not.toThrow();
});

it("[API-70] stops where a text exceeds its bounds, however long it is", () => {
  const readUntil = (text: string) => {
    let last = 0;
    const bytes = new Proxy(new TextEncoder().encode(text), {
      get(all, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) last = Number(key);
        return Reflect.get(all, key, all);
      },
    });
    const measure = measureJson(bytes, { depth: 8, values: 100 });
    return { last, ...measure };
  };
  expect(readUntil(`[${"1,".repeat(50_000)}1]`)).toMatchObject({ last: 200, values: 101 });
  expect(readUntil("[".repeat(50_000))).toMatchObject({ last: 9, depth: 9 });
  expect(readUntil(`[${"1,".repeat(99)}1]`)).toMatchObject({ last: 200, values: 100 });
});
