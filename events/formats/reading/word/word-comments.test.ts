import { zipSync } from "fflate";
import { expect, it } from "vitest";
import { readFile } from "@/events/formats/read-import";

const utf8 = (text: string) => new TextEncoder().encode(text);
const ooxml = "http://schemas.openxmlformats.org";
const names =
  `xmlns:w="${ooxml}/wordprocessingml/2006/main" ` +
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" ' +
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"';
const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const begin = (id: number) => `<w:commentRangeStart w:id="${id}"/>`;
const end = (id: number) => `<w:commentRangeEnd w:id="${id}"/>`;
const refer = (id: number) => `<w:r><w:commentReference w:id="${id}"/></w:r>`;
const paragraph = (content: string) => `<w:p w14:paraId="0">${content}</w:p>`;
const said = (id: number, author: string, text: string) =>
  `<w:comment w:id="${id}" w:author="${author}" w:date="2026-11-24T10:00:00Z" w:initials="X">` +
  `<w:p w14:paraId="0A${id}">${run(text)}</w:p></w:comment>`;

const wordFile = (body: string, comments: string, extended = "") =>
  zipSync({
    "word/document.xml": utf8(`<w:document ${names}><w:body>${body}</w:body></w:document>`),
    "word/comments.xml": utf8(`<w:comments ${names}>${comments}</w:comments>`),
    "word/commentsExtended.xml": utf8(`<w15:commentsEx ${names}>${extended}</w15:commentsEx>`),
  });
const ways = { origin: "", onRead: () => undefined, newId: () => "id", sizeOf: async () => null };
const read = (...parts: Parameters<typeof wordFile>) =>
  readFile("minutes.docx", wordFile(...parts), ways);

/** Returns the words of a text at a place counted in non-space letters. */
const wordsAt = (text: string, { from, to }: { from: number; to: number }) =>
  text.replace(/\s+/g, "").slice(from, to);

it("[FORMAT-17] comments come with their passage, their replies and whether they are resolved", async () => {
  const body =
    paragraph(
      `${run("The ")}${begin(1)}${begin(2)}${run("roof")}${end(1)}${refer(1)}${end(2)}${refer(2)}${run(" leaks.")}`,
    ) +
    begin(3) +
    paragraph(run("It rained in May.")) +
    paragraph(`${run("And in")}${end(3)}${refer(3)}${run(" June.")}`) +
    paragraph(`${run("Ask Carol.")}${refer(4)}`);
  const comments =
    said(1, "Ben", "Is that so?") +
    said(2, "Ana", "It is &#0;&lt;wet&gt;.") +
    said(3, "Ben", "Which year?") +
    said(4, "Ana", "Done");
  const extended =
    '<w15:commentEx w15:paraId="0A1" w15:done="0"/>' +
    '<w15:commentEx w15:paraId="0A2" w15:paraIdParent="0A1" w15:done="0"/>' +
    '<w15:commentEx w15:paraId="0A4" w15:done="1"/>';
  const { documents, left } = await read(body, comments, extended);
  const [{ text, threads } = { text: null, threads: [] }] = documents;
  const words = text?.textContent ?? "";
  expect(words).toBe("The roof leaks.It rained in May.And in June.Ask Carol.");
  expect(threads.map(({ place, ...thread }) => ({ ...thread, on: wordsAt(words, place) }))).toEqual(
    [
      { isResolved: false, comments: ["Ben: Is that so?", "Ana: It is <wet>."], on: "roof" },
      { isResolved: false, comments: ["Ben: Which year?"], on: "ItrainedinMay.Andin" },
      { isResolved: true, comments: ["Ana: Done"], on: "AskCarol." },
    ],
  );
  expect([...left]).toEqual([]);
});

it("[FORMAT-17] comments without words or without a passage are left out and counted", async () => {
  const body = paragraph(`${run("Only this.")}${begin(2)}${end(2)}`) + paragraph(refer(3));
  const comments =
    said(1, "Ben", "On what is gone") + said(2, "Ben", "On nothing") + said(3, "Ben", " ");
  const { documents, left } = await read(body, comments);
  expect(documents[0]?.text.textContent).toBe("Only this.");
  expect(documents[0]?.threads).toEqual([]);
  expect([...left]).toEqual([["comments", 3]]);
});

it("[FORMAT-17] very many comments, and text that only begins like one, are read in one pass", async () => {
  const many = Array.from({ length: 5_000 }, (_, at) => said(at, "Ben", "Yes")).join("");
  const chain = Array.from(
    { length: 4_999 },
    (_, at) => `<w15:commentEx w15:paraId="0A${at + 1}" w15:paraIdParent="0A${at}"/>`,
  ).join("");
  const all = Array.from({ length: 50_000 }, (_, at) => (at * 7_919) % 1_000_003);
  const opened = all.map((at) => `<w:comment a${at}`).join("");
  const named = all.map((at) => `w:id="${at}" `).join("");
  const begun = `<![CDATA[${opened}${named}]]>`;
  const body = paragraph(`${begin(0)}${run("Roof")}${end(0)}`) + paragraph(run(begun));
  const { documents, left } = await read(body, many, chain);
  const threads = documents[0]?.threads ?? [];
  const came = threads.reduce((sum, { comments }) => sum + comments.length, 0);
  const [, stayed = 0] = [...left][0] ?? [];
  expect([came > 0, came + stayed]).toEqual([true, 5_000]);
});

it("[FORMAT-17] an import takes 1,500 comments from all of its files, and counts the others", async () => {
  const file = (count: number) =>
    wordFile(
      paragraph(`${begin(0)}${run("Roof")}${end(0)}`),
      Array.from({ length: count }, (_, at) => said(at, "Ben", "Yes")).join(""),
      Array.from(
        { length: count - 1 },
        (_, at) => `<w15:commentEx w15:paraId="0A${at + 1}" w15:paraIdParent="0A0"/>`,
      ).join(""),
    );
  const came: unknown[] = [];
  for (const count of [1_499, 1_500, 1_501]) {
    const files = { "a.docx": file(700), "b.docx": file(300), "c.docx": file(count - 1_000) };
    const { documents, left } = await readFile("all.zip", zipSync(files), ways);
    const each = documents.map(({ threads }) => threads.flatMap(({ comments }) => comments).length);
    came.push([...each, left.get("comments") ?? 0]);
  }
  expect(came).toEqual([
    [700, 300, 499, 0],
    [700, 300, 500, 0],
    [700, 300, 500, 1],
  ]);
});

it("[FORMAT-17] comments that reply to each other are read, and leave no placeholder in title or text", async () => {
  const heading = '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>';
  const title = paragraph(`${heading}${begin(1)}${run("Minutes")}${end(1)}${refer(1)}`);
  const body = title + paragraph(`${begin(2)}${run("Rain")}${end(2)}`);
  const circle =
    '<w15:commentEx w15:paraId="0A1" w15:paraIdParent="0A2"/>' +
    '<w15:commentEx w15:paraId="0A2" w15:paraIdParent="0A1"/>';
  const { documents } = await read(body, said(1, "Ben", "One") + said(2, "Ben", "Two"), circle);
  const text = JSON.stringify([documents[0]?.title, documents[0]?.text.toJSON()]);
  expect(/[\u{F0000}-\u{FFFFD}]/u.test(text)).toBe(false);
  expect(documents[0]?.threads.flatMap(({ comments }) => comments)).toContain("Ben: Two");
});
