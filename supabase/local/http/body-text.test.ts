import { expect, test, vi } from "vitest";
import { BodyText } from "./body-text";

test("[API-95] a body is parsed once, and only when its value is needed", () => {
  const parse = vi.spyOn(JSON, "parse");
  const body = new BodyText(Buffer.from('\ufeff{"a":["é"]}'));
  expect(body.text).toBe('{"a":["é"]}');
  expect(parse).not.toHaveBeenCalled();
  expect([body.json, body.json]).toEqual([{ a: ["é"] }, { a: ["é"] }]);
  expect(parse).toHaveBeenCalledTimes(1);
  parse.mockRestore();
});

test.each(["", "{", "[1", "undefined"])("[API-95] %j is no JSON", (text) => {
  expect(new BodyText(Buffer.from(text)).json).toBeUndefined();
});
