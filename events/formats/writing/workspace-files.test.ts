import { expect, it } from "vitest";
import { archivePaths, filesInMarkdown, withArchivedFiles } from "./workspace-files";

const origin = "https://notes.example";
const [pier, rota] = [
  "6a0e5cf4-3d6c-4b8e-9d54-1c2f5f0a1b11",
  "0f9a5cf4-3d6c-4b8e-9d54-1c2f5f0a1b22",
];

it("[FORMAT-18] a document lies in the folder of its parent, under a unique name", () => {
  const documents = [
    { id: "a", title: "Plans", parent: null },
    { id: "b", title: "Roof: May/June", parent: "a" },
    { id: "c", title: "PLANS", parent: null },
    { id: "d", title: "Tiles", parent: "b" },
    { id: "e", title: "", parent: "gone" },
    // These names are reserved: for the folder of images and files, and for the contents.
    { id: "f", title: "files", parent: null },
    { id: "g", title: "contents.json", parent: null },
  ];
  expect([...archivePaths(documents).values()].map((path) => path.join("/")).sort()).toEqual([
    "Document",
    "PLANS 2",
    "Plans",
    "Plans/Roof May June",
    "Plans/Roof May June/Tiles",
    "contents.json 2",
    "files 2",
  ]);
});

it("[FORMAT-18] ten thousand untitled documents get unique names", () => {
  const documents = Array.from({ length: 10_000 }, (_, at) => ({
    id: `${at}`,
    title: "",
    parent: null,
  }));
  const names = [...archivePaths(documents).values()].map(([name]) => name);
  expect([new Set(names).size, names.at(-1)]).toEqual([10_000, "Document 10000"]);
});

it("[FORMAT-18] links to images and files point to their places in the archive", () => {
  const markdown =
    `![A pier](${origin}/files/${pier}?w=1280 "In November")\n\n[rota.xlsx](/files/${rota})\n\n` +
    `[Elsewhere](https://other.example/files/${pier}) and ${origin}/files/${pier} in words`;
  expect(filesInMarkdown(markdown, origin)).toEqual([pier, rota]);
  const pathOf = (file: string) => (file === pier ? "files/a pier (1).png" : null);
  expect(
    withArchivedFiles(markdown, { origin, depth: 2, pathOf, documentPathOf: () => null }),
  ).toBe(
    `![A pier](../../files/a%20pier%20%281%29.png "In November")\n\n[rota.xlsx](/files/${rota})\n\n` +
      `[Elsewhere](https://other.example/files/${pier}) and ${origin}/files/${pier} in words`,
  );
});

it("[FORMAT-18] links to documents point to their places in the archive", () => {
  const markdown =
    `[Pier](${origin}/d/${pier}#7-12) [Rota](/d/${rota}) [Other](https://other.example/d/${pier}) ` +
    `[Gone](${origin}/d/${pier.replace("6", "7")})`;
  const documentPathOf = (id: string) =>
    id === pier ? "Plans/Pier (old).md" : id === rota ? "Rota.md" : null;
  expect(
    withArchivedFiles(markdown, { origin, depth: 1, pathOf: () => null, documentPathOf }),
  ).toBe(
    "[Pier](../Plans/Pier%20%28old%29.md) [Rota](../Rota.md) " +
      `[Other](https://other.example/d/${pier}) [Gone](${origin}/d/${pier.replace("6", "7")})`,
  );
});
