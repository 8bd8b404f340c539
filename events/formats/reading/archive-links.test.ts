import { zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { readFile } from "../read-import";
import { alone } from "../sources.fixture";

const { origin } = alone;
const [a, b] = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"];
const old = "6a0e5cf4-3d6c-4b8e-9d54-1c2f5f0a1b11";
let ids = 0;
const ways = {
  origin,
  onRead: () => undefined,
  newId: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, "0")}`,
  sizeOf: async () => null,
};

/** Returns the link targets of the document with a title, by their titles, and the counts. */
async function linksOf(title: string, files: Record<string, string>) {
  const packed = Object.entries(files).map(([name, text]) => [
    name,
    new TextEncoder().encode(text),
  ]);
  const { documents, left } = await readFile("a.zip", zipSync(Object.fromEntries(packed)), ways);
  const titleOf = (id: unknown) => documents.find((one) => one.id === id)?.title ?? `other ${id}`;
  const links: string[] = [];
  documents
    .find((one) => one.title === title)
    ?.text.descendants((node) => {
      if (node.type.name === "documentLink") links.push(titleOf(node.attrs.document));
      const href: unknown = node.marks.find(({ type }) => type.name === "link")?.attrs.href;
      if (typeof href !== "string") return;
      const [, id] = /^\/d\/(.+)$/.exec(href) ?? [];
      links.push(`${node.text ?? ""} → ${id === undefined ? href : titleOf(id)}`);
    });
  return { links, left: [...left] };
}

describe("a link in an archive", () => {
  it.each<[string, Record<string, string>, string[]]>([
    [
      "Notion’s, with ids, folders and percent signs",
      {
        [`Start ${a}.md`]: `# Start\n\n[Été](Start%20${a}/%C3%89t%C3%A9%20${b}.md) [see](Start%20${a}/%C3%89t%C3%A9%20${b}.md#a)`,
        [`Start ${a}/Été ${b}.md`]: "# Été",
      },
      ["Été", "see → Été"],
    ],
    [
      "Notion’s, as addresses of its site and as shortened paths",
      {
        [`Start ${a}.md`]: `# Start\n\n[x](https://www.notion.so/Books-${b}?pvs=4) [y](https://ana.notion.site/${b}) [z](Sta/Bo%20${b}.md)`,
        [`Start ${a}/Books ${b}.md`]: "# Books",
      },
      ["x → Books", "y → Books", "z → Books"],
    ],
    [
      "Notion’s, in HTML",
      {
        [`Start ${a}.html`]: `<title>Start</title><p><a href="Start%20${a}/Books%20${b}.html">Books</a></p>`,
        [`Start ${a}/Books ${b}.html`]: "<title>Books</title>",
      },
      ["Books"],
    ],
    [
      "Outline’s, upwards, downwards and by its own addresses",
      {
        "Wiki/Start.md":
          "# Start\n\n[Inside](./Start/Inside.md) [up](../Wiki/Other%20one.md) [o](/doc/other-one-aB3dE5fG7h)",
        "Wiki/Start/Inside.md": "# Inside",
        "Wiki/Other one.md": "text",
      },
      ["Inside", "up → Other one", "o → Other one"],
    ],
    [
      "Google’s, by its own way to other sites and by the names of documents",
      {
        "Start.html":
          '<h1>Start</h1><a href="https://www.google.com/url?q=https://docs.google.com/document/d/1x/edit&amp;sa=D">Budget</a> ' +
          '<a href="https://www.google.com/url?q=https://a.example/&amp;sa=D">out</a>',
        "Budget.html": "<p>text</p>",
      },
      ["Budget", "out → https://a.example/"],
    ],
    [
      "ours, relative",
      {
        "Start.md": "# Start\n\n[Budget](Start/Budget%20%282%29.md)",
        "Start/Budget (2).md": "# Budget\n\nText",
      },
      ["Budget"],
    ],
    [
      "ours of before, by the addresses of its server",
      {
        "Start.md": `# Start\n\n[Budget](${origin}/d/${old}#7-12) [Gone](${origin}/d/${old.replace("6", "7")})`,
        "Budget.md": "# Budget",
        "contents.json": JSON.stringify({ documents: [{ id: old, file: "Budget.md" }] }),
      },
      ["Budget", `Gone → other ${old.replace("6", "7")}`],
    ],
    [
      "without an ending, from the root and in other letters",
      {
        "A/Start.md":
          "# Start\n\n[one](../B/Deep) [two](/B/deep.md) [three](B/Deep.md) [four](<../b/Deep.md?x=1>)",
        "B/Deep.md": "# Deep",
      },
      ["one → Deep", "two → Deep", "three → Deep", "four → Deep"],
    ],
  ])("[FORMAT-24] leads to the imported document: %s", async (_, files, expected) => {
    expect(await linksOf("Start", files)).toEqual({ links: expected, left: [] });
  });

  it("[FORMAT-24] is counted if it leads to no document, or to two of one name", async () => {
    const files = {
      "Start.md": "# Start\n\n[none](Missing.md) [two](Same.md) [up](../../Out.md) [part](#part)",
      "A/Same.md": "x",
      "B/Same.md": "y",
    };
    expect(await linksOf("Start", files)).toEqual({
      links: [],
      left: [["addresses that a link may not have", 3]],
    });
  });
});
