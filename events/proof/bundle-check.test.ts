import { changesOf, refusal, textIn } from "./changed-bundle.fixture";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { unpackZip } from "./bundle-unpacking";
import type { Ruled } from "@/events/core/envelope";
import { ana, ben, bundleOf, history, template } from "./bundle.fixture";
import { checkBundle } from "./bundle-check";
import { fileStem } from "@/events/formats/writing/file-stem";
import { playerParts } from "./player-file";

let rows: Ruled[];
let bundle: Uint8Array;
beforeAll(async () => {
  rows = await history();
  bundle = await bundleOf(rows);
});

const { changed } = changesOf(() => bundle);
const ignored = () => undefined;

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

  it("[BUNDLE-1] [FORMAT-6] is named after the document, in characters that every file system takes", () => {
    expect(fileStem("Plans: spring/summer?")).toBe("Plans spring summer");
    expect(fileStem("../..\0")).toBe("Document");
    expect(fileStem("con")).toBe("Document");
    expect(fileStem(`Entwürf ${"𝄞".repeat(200)}`)).toBe(`Entwürf ${"𝄞".repeat(47)}`);
    expect(fileStem("nul.notes")).toBe("Document");
    expect(fileStem("Plans \u202egpj.exe\u200b")).toBe("Plans gpj.exe");
    expect(fileStem("Plans .. ")).toBe("Plans");
  });

  it("[BUNDLE-7] holds words of people as text, and as markup in no page", async () => {
    const files = unpackZip(bundle);
    const html = textIn(files, "text/document.html");
    expect(html).toContain("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;");
    expect(html).not.toContain("<img");
    const player = textIn(files, "player.html");
    expect(player.match(/<\/script>/g)).toHaveLength(2);
    expect(player).not.toContain("<img");
    expect(playerParts(player).content).not.toContain("<");
  });
});

describe("a bundle from before titles were escaped", () => {
  const earlier = readFileSync(new URL("rendering-2.fixture.zip", import.meta.url));

  it("[BUNDLE-10] is checked against the Markdown of its time", async () => {
    const { bundle: read, rendered } = await checkBundle(earlier, ignored);
    expect([read.manifest.rendering, rendered]).toEqual([2, true]);
    expect(read.texts.markdown).toContain(
      "# # a [x](javascript:alert(1)) <img src=x onerror=alert(1)> #\n\n# a heading",
    );
    const files = unpackZip(earlier);
    const forged = textIn(files, "text/document.md").replace("# a heading", "\\# a heading");
    expect(
      await refusal(
        changed((content, path) => (path === "text/document.md" ? forged : content), true, earlier),
      ),
    ).toMatch(/document\.md is not the text/);
  });

  it("[BUNDLE-7] has no markup in its Markdown once it is exported again", async () => {
    const { bundle: read } = await checkBundle(earlier, ignored);
    const { bundle: anew } = await checkBundle(await bundleOf(read.rows), ignored);
    expect(anew.manifest.rendering).toBe(5);
    const [title, ...lines] = anew.texts.markdown.split("\n");
    expect(title).toBe("# \\# a \\[x\\](javascript:alert(1)) \\<img src=x onerror=alert(1)\\> \\#");
    expect(lines.filter((line) => line.startsWith("<"))).toEqual([]);
    const readme = textIn(unpackZip(await bundleOf(read.rows)), "README.txt");
    expect(readme.split("\n", 1)).toEqual([read.manifest.document.title.replace(/\s+/g, " ")]);
  });
});
