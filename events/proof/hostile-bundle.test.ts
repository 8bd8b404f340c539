import { changesOf, refusal } from "./changed-bundle.fixture";
import { beforeAll, describe, expect, it } from "vitest";
import { toBase64 } from "@/events/core/bytes/base64";
import { bundleLimits, eventLine, parseEventLine } from "./bundle-format";
import { parseEvents } from "./bundle";
import { hashed, unhashed } from "./chain.fixture";
import type { Ruled } from "@/events/core/envelope";
import { bundleOf, history } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";

let rows: Ruled[];
let bundle: Uint8Array;
beforeAll(async () => {
  rows = await history();
  bundle = await bundleOf(rows);
});

const { changed, only } = changesOf(() => bundle);
const ignored = () => undefined;

describe("a malicious bundle", () => {
  it("[BUNDLE-11] is refused if a file is not UTF-8 or not JSON", async () => {
    expect(await refusal(only("events.ndjson", () => new Uint8Array([0x7b, 0xff, 0x7d, 10])))).toBe(
      "events.ndjson is not UTF-8 text.",
    );
    expect(await refusal(only("text/document.md", () => new Uint8Array([0xc0, 0x80])))).toBe(
      "text/document.md is not UTF-8 text.",
    );
    expect(await refusal(only("people.json", (content) => content.slice(0, -3)))).toBe(
      "people.json is not JSON.",
    );
    expect(await refusal(only("events.ndjson", () => "[[[[".repeat(100_000)))).toMatch(
      /does not end with a line break/,
    );
    expect(await refusal(only("events.ndjson", (content) => content.replace("{", "{{")))).toBe(
      "Line 1 of events.ndjson is not JSON.",
    );
    expect(await refusal(only("heads.json", () => `${"[".repeat(200_000)}\n`))).toMatch(
      /heads\.json is not JSON|does not have the form/,
    );
  });

  it("[BUNDLE-11] is refused for too many lines before they are parsed", () => {
    expect(() => parseEvents("\n".repeat(2 ** 27))).toThrow(
      "events.ndjson has more than 1000000 lines",
    );
  });

  it("[BUNDLE-11] takes an event with as many client ids as the log admits, and no more", () => {
    const line = (clients: number) =>
      rows
        .slice(0, 1)
        .map((row) =>
          eventLine({ ...row, clientIds: Array.from({ length: clients }, (_, client) => client) }),
        )
        .join("");
    expect(parseEventLine(line(bundleLimits.clientIds), 1).clientIds).toHaveLength(
      bundleLimits.clientIds,
    );
    expect(() => parseEventLine(line(bundleLimits.clientIds + 1), 1)).toThrow(
      /client_ids is wrong/,
    );
  });

  it.each([
    ["a type that is a number", '"type":"document.created"', '"type":7', /type is wrong/],
    ["an invalid id", /"id":"[^"]+"/, '"id":"../../x"', /id is wrong/],
    ["a version that is not an integer", '"version":1,', '"version":1.5,', /version is wrong/],
    ["a version beyond the safe integers", '"version":1,', '"version":1e300,', /version is wrong/],
    [
      "a stream of another kind",
      '"stream_kind":"document"',
      '"stream_kind":"account"',
      /stream_kind is wrong/,
    ],
    ["an unknown key", '{"id"', '{"more":1,"id"', /is not an event/],
    ["a repeated key", '"version":1,', '"version":2,"version":1,', /repeated or out of order/],
    ["a prototype", '{"id"', '{"__proto__":{"x":1},"id"', /is not an event|repeated/],
    ["a body that is not JSON", /"body":"[^}]*\}"/, '"body":"{"', /body that is not JSON/],
    ["an update that is not base64", '"update":null', '"update":"%%"', /update that is not base64/],
    [
      "an update with other bits in its padding",
      '"update":null',
      '"update":"AB=="',
      /repeated or out of order/,
    ],
    [
      "an update that is too large",
      '"update":null',
      `"update":"${toBase64(new Uint8Array(512 * 1024 + 1))}"`,
      /larger update/,
    ],
    [
      "a body that is too large",
      /"body":"[^}]*\}"/,
      `"body":"${"1".repeat(65_537)}"`,
      /larger body/,
    ],
    ["an invalid time", /"recorded_at":"[^"]+"/, '"recorded_at":"now"', /recorded_at is wrong/],
  ])("[BUNDLE-11] is refused for an event with %s", async (_what, from, to, words) => {
    expect(
      await refusal(only("events.ndjson", (content) => content.replace(from, () => to))),
    ).toMatch(words);
  });

  it("[BUNDLE-11] is refused for a manifest with other files, counts or types", async () => {
    const manifest = (from: string | RegExp, to: string) =>
      changed(
        (content, path) => (path === "manifest.json" ? content.replace(from, () => to) : content),
        false,
      );
    expect(await refusal(manifest('"path": "README.txt"', '"path": "../README.txt"'))).toMatch(
      /does not list the files/,
    );
    expect(await refusal(manifest('"events": 7', '"events": 70000000'))).toMatch(/events is wrong/);
    expect(await refusal(manifest('"events": 7', '"events": "7"'))).toMatch(/events is wrong/);
    expect(await refusal(manifest('"version": 1', '"version": 3'))).toMatch(/version is wrong/);
    expect(await refusal(manifest('"events": 7', '"events": 9,\n  "events": 7'))).toMatch(
      /repeated or out of order/,
    );
    expect(await refusal(manifest("palimpsest-bundle", "something-else"))).toMatch(
      /format is wrong/,
    );
  });

  it("[BUNDLE-11] is refused if it lists attachments that it does not hold", async () => {
    const listed = JSON.stringify(
      [{ sha256: "ab".repeat(32), bytes: 1, name: "x", type: "image/png" }],
      null,
      2,
    );
    expect(await refusal(only("attachments.json", () => `${listed}\n`))).toMatch(
      /lists 1 attachments, and its version is 1/,
    );
  });

  it("[BUNDLE-12] counts the edits that every reader rejects", async () => {
    const odd = await hashed([...rows, unhashed(8, { update: new Uint8Array([0, 0, 9, 9]) })]);
    expect(await checkBundle(await bundleOf(odd), ignored)).toMatchObject({ rejected: 1 });
  });
});
