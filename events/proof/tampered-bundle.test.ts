import { changesOf, refusal, textIn } from "./changed-bundle.fixture";
import { deflateSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { toBase64 } from "@/events/core/bytes/base64";
import { unpackZip } from "./bundle-unpacking";
import { hashed, unhashed } from "./chain.fixture";
import type { Ruled } from "@/events/core/envelope";
import { ana, ben, bundleOf, history, template } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";
import { parsePlayerContent } from "./player-file";

let rows: Ruled[];
let bundle: Uint8Array;
beforeAll(async () => {
  rows = await history();
  bundle = await bundleOf(rows);
});

const { changed, only } = changesOf(() => bundle);
const ignored = () => undefined;

describe("a bundle that was tampered with", () => {
  it("[BUNDLE-8] is refused if a file is missing, or is not the one that the manifest names", async () => {
    for (const path of [
      "README.txt",
      "events.ndjson",
      "people.json",
      "heads.json",
      "text/document.md",
      "player.html",
    ] as const) {
      const bytes = await changed(
        (content, one) => (one === path ? `${content} ` : content),
        false,
      );
      expect(await refusal(bytes)).toBe(`${path} is not the file that the manifest names.`);
      expect(await refusal(changed((content, one) => (one === path ? null : content), false))).toBe(
        `The bundle has no ${path}.`,
      );
    }
    expect(await refusal(only("manifest.json", () => null))).toBe(
      "The bundle has no manifest.json.",
    );
  });

  it("[BUNDLE-9] is refused at the first event that differs from the record", async () => {
    const line = (number: number, change: (line: string) => string) =>
      only("events.ndjson", (content) =>
        content
          .split("\n")
          .map((one, index) => (index === number - 1 ? change(one) : one))
          .join("\n"),
      );
    expect(
      await refusal(
        line(4, (one) => one.replace(ben, ana).replace(ana, one.includes(ben) ? ana : ben)),
      ),
    ).toMatch(/^Event 4, or its place/);
    expect(await refusal(line(4, (one) => one.replace('"body":"{}"', '"body":"{ }"')))).toBe(
      "The content of event 4 is not what was recorded.",
    );
    expect(
      await refusal(
        line(4, (one) => one.replace(/"salt":"[^"]+","body":"\{\}"/, '"salt":null,"body":"{}"')),
      ),
    ).toMatch(/^The content of event 4 is missing/);
    expect(
      await refusal(
        only("events.ndjson", (content) =>
          content
            .split("\n")
            .filter((_, index) => index !== 3)
            .join("\n"),
        ),
      ),
    ).toMatch(/manifest says 7 events, and there are 6/);
  });

  it("[BUNDLE-9] is refused if its history was rewritten and lacks a head that was seen", async () => {
    const other = await hashed(
      rows.map((row) => (row.version === 5 ? { ...row, schema: 2 } : row)),
    );
    const forged = unpackZip(await bundleOf(other));
    const heads = unpackZip(bundle).get("heads.json") ?? new Uint8Array();
    expect(
      await refusal(
        changed((_, path) => (path === "heads.json" ? heads : (forged.get(path) ?? null))),
      ),
    ).toMatch(/A head that was seen at event 7 is not in this history/);
  });

  it("[BUNDLE-9] is refused if the manifest names another document, head or title", async () => {
    expect(
      await refusal(
        only("manifest.json", (content) =>
          content.replace(rows[0]?.streamId ?? "", unhashed(9).id),
        ),
      ),
    ).toBe("Event 1 belongs to another document.");
    expect(
      await refusal(
        only("manifest.json", (content) => content.replace(rows[6]?.hash ?? "", "ab".repeat(32))),
      ),
    ).toMatch(/names another head/);
    expect(
      await refusal(only("manifest.json", (content) => content.replace("Plans", "Plots"))),
    ).toMatch(/names another title/);
  });

  it("[BUNDLE-10] is refused if a text differs from the one that its events give", async () => {
    expect(
      await refusal(only("text/document.md", (content) => content.replace("Words", "Swords"))),
    ).toMatch(/document\.md is not the text/);
    expect(
      await refusal(only("text/document.html", (content) => content.replace("Words", "<script>"))),
    ).toMatch(/document\.html is not the text/);
    expect(
      await refusal(only("text/document.json", (content) => content.replace("Words", "Swords"))),
    ).toMatch(/document\.json is not the text/);
    const later = await changed((content, path) =>
      path === "manifest.json"
        ? content.replace(/"rendering": \d+/, '"rendering": 9')
        : path === "text/document.md"
          ? "otherwise"
          : content,
    );
    expect(await checkBundle(later, ignored)).toMatchObject({ rendered: false });
  });

  it("[BUNDLE-10] is refused if people are missing, named twice or foreign to its history", async () => {
    type People = { id: string }[];
    const people = (change: (list: People) => People) =>
      only(
        "people.json",
        (content) => `${JSON.stringify(change(JSON.parse(content) as People), null, 2)}\n`,
      );
    expect(await refusal(people((list) => list.slice(1)))).toMatch(
      /does not name those who appear/,
    );
    expect(await refusal(people((list) => [...list, ...list.slice(0, 1)]))).toMatch(
      /somebody twice/,
    );
    expect(
      await refusal(
        people((list) =>
          list.map((one, index) => (index === 0 ? { ...one, id: unhashed(9).id } : one)),
        ),
      ),
    ).toMatch(/does not name those who appear/);
  });

  it("[BUNDLE-10] is refused if its player holds another history, or none", async () => {
    const shorter = await bundleOf(rows.slice(0, 5));
    const player = textIn(unpackZip(shorter), "player.html");
    expect(await refusal(only("player.html", () => player))).toMatch(
      /does not hold the history of this bundle/,
    );
    expect(await refusal(only("player.html", () => "<html>"))).toMatch(/is not a player/);
    const island = (bytes: number, events: Uint8Array) =>
      JSON.stringify({
        exported: { at: "", by: "" },
        people: "[]\n",
        heads: "[]\n",
        bytes,
        events: toBase64(deflateSync(events)),
      });
    const holding = (content: string) =>
      refusal(only("player.html", () => template.replace('"palimpsest content"', content)));
    const { length } = unpackZip(bundle).get("events.ndjson") ?? [];
    expect(await holding(island(length, new Uint8Array(2 ** 20)))).toMatch(
      /does not hold what it says/,
    );
    expect(await holding(island(length, new Uint8Array(length - 1)))).toMatch(
      /does not hold what it says/,
    );
    expect(await holding(island(512 * 2 ** 20, new Uint8Array(2 ** 20)))).toMatch(
      /does not hold the history of this bundle/,
    );
    // A player alone has no expected size to compare, and must not allocate an impossible size.
    expect(() => parsePlayerContent(island(512 * 2 ** 20, new Uint8Array(2 ** 10)))).toThrow(
      /does not hold what it says/,
    );
  });
});
