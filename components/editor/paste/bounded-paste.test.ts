import { describe, expect, it } from "vitest";
import { boundedPaste, mostLines } from "./bounded-paste";
import { excessIn, htmlLimits } from "./html-weight";
import { wordsOfHtml } from "./html-words";

const times = (text: string, count: number) => text.repeat(count);
const tooMany = htmlLimits.elements + 1;

describe("a bounded paste", () => {
  it.each<[string, string, string, RegExp]>([
    [
      "elements",
      `${times("<p>word</p>", 9_000)}${times("<i>a</i>", 12_000)}`,
      "word",
      /20,000 elements/,
    ],
    ["cells among words", `<p>a</p><table>${times("<td>c", 3_001)}`, "word", /3,000 table cells/],
    ["levels of lists", `${times("<ul><li>", 26)}word`, "word", /25 levels/],
    ["attributes of a tag", `<p ${times('a="1 2" ', 501)}>word`, "word", /500 attributes/],
    ["formatting", `<p style="${times("a", 2_200_000)}">word`, "word", /2 MB of formatting/],
  ])("[EDIT-73] becomes plain text, and the sentence says so: %s", (_, html, plain, sentence) => {
    const bounded = boundedPaste(html, plain);
    expect(bounded).toMatchObject({ text: plain });
    expect(bounded?.sentence).toMatch(sentence);
    expect(bounded?.sentence).toMatch(
      /^This has more than .*, so it was pasted as plain text\. No words are missing\.$/,
    );
  });

  it("[EDIT-73] keeps its structure up to the limits", () => {
    for (const html of [
      times("<p>a</p>", htmlLimits.elements),
      `<p>a</p><table>${times("<td>c", htmlLimits.cells)}</table>`,
      `${times("<ul><li>", htmlLimits.levels)}word`,
      // A drawing is a long tag with few attributes.
      `<p>a</p><path d="${times("1 2 ", 50_000)}">`,
      times("<ul><li>a</li></ul>", 1_000),
    ])
      expect(boundedPaste(html, "a")).toBeNull();
  });

  it("[EDIT-73] becomes a file with all of its words if it has too many lines", async () => {
    const lines = times("line\r\n", mostLines + 1).trim();
    for (const html of ["", times("<p>line</p>", tooMany)]) {
      const bounded = boundedPaste(html, lines);
      expect(bounded?.sentence).toMatch(/^This text has 10,001 lines\. /);
      const file = bounded !== null && "file" in bounded ? bounded.file : null;
      expect([file?.name, await file?.text()]).toEqual(["Pasted text.txt", lines]);
    }
    expect(boundedPaste("", times("line\n\n", mostLines).trim())).toBeNull();
  });

  it("[EDIT-73] takes the words of its HTML if it has no plain text", () => {
    const cells = times("<tr><td>x</td><td>y &amp; z</td></tr>", 2_000);
    const html = `<title>no</title><style>p{}</style><p>Caf&eacute; &#x1F600;<br>b&lt;c</p><!-- no --><table>${cells}</table>`;
    const bounded = boundedPaste(html, "");
    const text = bounded !== null && "text" in bounded ? bounded.text : "";
    const lines = text.split("\n");
    expect(lines.slice(0, 3)).toEqual(["Café 😀", "b<c", "x\ty & z"]);
    expect(lines).toHaveLength(2_002);
  });

  it("[EDIT-73] is left to the refusal if its text is too long as well", () => {
    expect(boundedPaste(times("<p>words</p>", 840_000), "")).toBeNull();
    expect(boundedPaste("", times("word ", 450_000))).toBeNull();
  });

  // Each of these once took quadratic time. A regression makes the test time out.
  it.each<[string, string]>([
    ["styles", times("<style>", 290_000)],
    ["comments", times("<!--", 500_000)],
    ["attributes", `<p ${times("a ", 1_000_000)}`],
    ["tags", times("<", 2_000_000)],
    ["quotation marks", times('<a "', 500_000)],
    ["titles", times("<title></titl", 160_000)],
    ["references", times("&amp", 500_000)],
    ["levels", times("<div>", 400_000)],
  ])("[EDIT-73] is checked and read in one pass: %s", (_, html) => {
    excessIn(html);
    expect(wordsOfHtml(`${html}<p>word`)).toContain("word");
    boundedPaste(html, "word");
  });

  it("[EDIT-73] [EDIT-67] makes a file of a sheet of any size", async () => {
    const cells = times("<tr><td>a</td><td>b</td></tr>", 100_000);
    const bounded = boundedPaste(`<table>${cells}</table>`, times("a\tb\n", 100_000));
    const file = bounded !== null && "file" in bounded ? bounded.file : null;
    expect(file?.name).toBe("Pasted table.csv");
    expect((await file?.text())?.match(/a,b/g)).toHaveLength(100_000);
  });
});
