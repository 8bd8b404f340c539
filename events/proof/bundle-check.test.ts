import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { deflateSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { toBase64 } from "@/events/core/base64";
import {
  type BundledPath,
  BundleError,
  bundleLimits,
  type BundlePath,
  eventLine,
  parseEventLine,
} from "./bundle-format";
import { parseEvents } from "./bundle";
import { packZip } from "./bundle-packing";
import { unpackZip } from "./bundle-unpacking";
import { hashed, unhashed } from "./chain.fixture";
import type { Ruled } from "@/events/core/envelope";
import { ana, atOnce, ben, bundleOf, history, template } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";
import { fileStem } from "@/events/formats/file-stem";
import { parsePlayerContent, playerParts } from "./player-file";

let rows: Ruled[];
let bundle: Uint8Array;
beforeAll(async () => {
  rows = await history();
  bundle = await bundleOf(rows);
});

const encoder = new TextEncoder();
const text = (files: Map<BundledPath, Uint8Array>, path: BundlePath) =>
  new TextDecoder().decode(files.get(path));
const ignored = () => undefined;

/** The bundle with some files changed, packed and listed again as somebody would who wants it to be believed. */
async function changed(
  change: (text: string, path: BundledPath) => string | Uint8Array | null,
  relist = true,
  from = bundle,
): Promise<Uint8Array> {
  const files = new Map<BundledPath, Uint8Array>();
  for (const [path, bytes] of unpackZip(from)) {
    const made = change(new TextDecoder().decode(bytes), path);
    if (made !== null) files.set(path, typeof made === "string" ? encoder.encode(made) : made);
  }
  if (relist && files.has("manifest.json")) {
    const manifest = JSON.parse(text(files, "manifest.json")) as {
      files: { path: BundlePath; bytes: number; sha256: string }[];
    };
    for (const file of manifest.files) {
      const bytes = files.get(file.path) ?? new Uint8Array();
      file.bytes = bytes.length;
      file.sha256 = createHash("sha256").update(bytes).digest("hex");
    }
    files.set("manifest.json", encoder.encode(`${JSON.stringify(manifest, null, 2)}\n`));
  }
  return packZip([...files], atOnce);
}

const only = (changedPath: BundlePath, change: (text: string) => string | Uint8Array | null) =>
  changed((content, path) => (path === changedPath ? change(content) : content));

async function refusal(bytes: Uint8Array | Promise<Uint8Array>): Promise<string> {
  const made = await bytes;
  try {
    await checkBundle(made, ignored);
  } catch (error) {
    if (error instanceof BundleError) return error.message;
    throw error;
  }
  return "taken";
}

describe("a bundle", () => {
  it("[BUNDLE-1] holds every event, head, person and text, and is sound", async () => {
    const progress: number[] = [];
    const {
      bundle: read,
      redacted,
      rejected,
      rendered,
      player,
    } = await checkBundle(bundle, (done) => progress.push(done));
    expect(read.rows).toEqual(rows);
    expect(read.people.map(({ id, name }) => [id, name])).toEqual([
      [ana, "Ana <b>Marić</b>"],
      [ben, "Ben Okafor"],
    ]);
    expect(read.heads).toEqual([
      { version: 7, hash: rows[6]?.hash, seen: "2026-11-14T00:00:00.000Z" },
    ]);
    expect(read.manifest).toMatchObject({
      events: 7,
      head: { version: 7, hash: rows[6]?.hash },
      document: { title: "Plans </script> & “more”" },
    });
    expect({ redacted, rejected, rendered, attachments: read.attachments }).toEqual({
      redacted: [],
      rejected: 0,
      rendered: true,
      attachments: [],
    });
    expect(read.texts.markdown).toContain("2: Words");
    expect(player).toBe(template);
    expect(progress).toEqual([7]);
  });

  it("[BUNDLE-1] is the same file for the same content", async () => {
    expect(Buffer.compare(await bundleOf(rows), bundle)).toBe(0);
  });

  it("[BUNDLE-1] [FORMAT-6] is named after the document, in letters that every file system takes", () => {
    expect(fileStem("Plans: spring/summer?")).toBe("Plans spring summer");
    expect(fileStem("../..\0")).toBe("Document");
    expect(fileStem("con")).toBe("Document");
    expect(fileStem(`Entwürf ${"𝄞".repeat(200)}`)).toBe(`Entwürf ${"𝄞".repeat(47)}`);
    expect(fileStem("nul.notes")).toBe("Document");
    expect(fileStem("Plans \u202egpj.exe\u200b")).toBe("Plans gpj.exe");
    expect(fileStem("Plans .. ")).toBe("Plans");
  });

  it("[BUNDLE-7] holds what people wrote as text, in no page as markup", async () => {
    const files = unpackZip(bundle);
    const html = text(files, "text/document.html");
    expect(html).toContain("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img");
    const player = text(files, "player.html");
    expect(player.match(/<\/script>/g)).toHaveLength(2);
    expect(player).not.toContain("<img");
    expect(playerParts(player).content).not.toContain("<");
  });
});

describe("a bundle from before titles were escaped", () => {
  const earlier = readFileSync(new URL("rendering-2.fixture.zip", import.meta.url));

  it("[BUNDLE-10] is compared with the Markdown of its time", async () => {
    const { bundle: read, rendered } = await checkBundle(earlier, ignored);
    expect([read.manifest.rendering, rendered]).toEqual([2, true]);
    expect(read.texts.markdown).toContain(
      "# # a [x](javascript:alert(1)) <img src=x onerror=alert(1)> #\n\n# a heading",
    );
    const files = unpackZip(earlier);
    const forged = text(files, "text/document.md").replace("# a heading", "\\# a heading");
    expect(
      await refusal(
        changed((content, path) => (path === "text/document.md" ? forged : content), true, earlier),
      ),
    ).toMatch(/document\.md is not the text/);
  });

  it("[BUNDLE-7] has no markup in its Markdown once it is exported anew", async () => {
    const { bundle: read } = await checkBundle(earlier, ignored);
    const { bundle: anew } = await checkBundle(await bundleOf(read.rows), ignored);
    expect(anew.manifest.rendering).toBe(5);
    const [title, ...lines] = anew.texts.markdown.split("\n");
    expect(title).toBe("# \\# a \\[x\\](javascript:alert(1)) \\<img src=x onerror=alert(1)\\> \\#");
    expect(lines.filter((line) => line.startsWith("<"))).toEqual([]);
    const readme = text(unpackZip(await bundleOf(read.rows)), "README.txt");
    expect(readme.split("\n", 1)).toEqual([read.manifest.document.title.replace(/\s+/g, " ")]);
  });
});

describe("a bundle that was tampered with", () => {
  it("[BUNDLE-8] is refused when a file is not the one that the manifest names, or is missing", async () => {
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

  it("[BUNDLE-9] is refused at the first event that is not what was recorded", async () => {
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

  it("[BUNDLE-9] is refused when its history was made anew and a head that was seen is not in it", async () => {
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

  it("[BUNDLE-9] is refused when the manifest names another document or head", async () => {
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

  it("[BUNDLE-10] is refused when a text is not the one that its events give", async () => {
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

  it("[BUNDLE-10] is refused when people are missing, named twice or not of this history", async () => {
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

  it("[BUNDLE-10] is refused when its player holds another history, or none", async () => {
    const shorter = await bundleOf(rows.slice(0, 5));
    const player = text(unpackZip(shorter), "player.html");
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
    // Alone it has nothing to be held against, and makes no room for what cannot be in it.
    expect(() => parsePlayerContent(island(512 * 2 ** 20, new Uint8Array(2 ** 10)))).toThrow(
      /does not hold what it says/,
    );
  });
});

describe("a bundle that was made to do harm", () => {
  it("[BUNDLE-11] is refused when a file is not UTF-8 or not JSON", async () => {
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

  it("[BUNDLE-11] is refused for more lines than are taken before anything is made of them", () => {
    expect(() => parseEvents("\n".repeat(2 ** 27))).toThrow(
      "events.ndjson has more than 1000000 lines",
    );
  });

  it("[BUNDLE-11] takes an event with as many client ids as the log admits, and none with more", () => {
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
    ["an id that is none", /"id":"[^"]+"/, '"id":"../../x"', /id is wrong/],
    ["a version that is no integer", '"version":1,', '"version":1.5,', /version is wrong/],
    ["a version beyond counting", '"version":1,', '"version":1e300,', /version is wrong/],
    [
      "a stream of another kind",
      '"stream_kind":"document"',
      '"stream_kind":"account"',
      /stream_kind is wrong/,
    ],
    ["a key too many", '{"id"', '{"more":1,"id"', /is not an event/],
    [
      "a key that is there twice",
      '"version":1,',
      '"version":2,"version":1,',
      /repeated or out of order/,
    ],
    ["a prototype", '{"id"', '{"__proto__":{"x":1},"id"', /is not an event|repeated/],
    ["a body that is no JSON", /"body":"[^}]*\}"/, '"body":"{"', /body that is not JSON/],
    ["an update that is no base64", '"update":null', '"update":"%%"', /update that is not base64/],
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
    ["a time that is none", /"recorded_at":"[^"]+"/, '"recorded_at":"now"', /recorded_at is wrong/],
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

  it("[BUNDLE-11] is refused when it lists attachments that it does not hold", async () => {
    const listed = JSON.stringify(
      [{ sha256: "ab".repeat(32), bytes: 1, name: "x", type: "image/png" }],
      null,
      2,
    );
    expect(await refusal(only("attachments.json", () => `${listed}\n`))).toMatch(
      /lists 1 attachments, and its version is 1/,
    );
  });

  it("[BUNDLE-12] has its edits rejected, and counted, where every reader rejects them", async () => {
    const odd = await hashed([...rows, unhashed(8, { update: new Uint8Array([0, 0, 9, 9]) })]);
    expect(await checkBundle(await bundleOf(odd), ignored)).toMatchObject({ rejected: 1 });
  });
});
