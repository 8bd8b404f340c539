import { fileStem } from "./file-stem";

type Placed = { id: string; title: string; parent: string | null };

/** Tells names in one folder apart by a number where file systems would take them for the same. */
function namesOfFolder(): (stem: string) => string {
  const usedNames = new Set<string>();
  const numbers = new Map<string, number>();
  return (stem) => {
    const key = stem.toLowerCase();
    let name = stem;
    let number = numbers.get(key) ?? 1;
    while (usedNames.has(name.toLowerCase())) name = `${stem} ${(number += 1)}`;
    numbers.set(key, number);
    usedNames.add(name.toLowerCase());
    return name;
  };
}

/**
 * Where each document of a tree lies in an archive, without its ending: what stands in another one
 * lies in a folder of its name. Whose place is not among them lies at the top.
 */
export function archivePaths(documents: readonly Placed[]): Map<string, string[]> {
  const inside = new Map<string | null, Placed[]>();
  const ids = new Set(documents.map(({ id }) => id));
  for (const document of documents) {
    const parent = document.parent !== null && ids.has(document.parent) ? document.parent : null;
    const others = inside.get(parent);
    if (others) others.push(document);
    else inside.set(parent, [document]);
  }
  const paths = new Map<string, string[]>();
  const folders: [parent: string | null, folder: string[]][] = [[null, []]];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    const [parent, folder] = next;
    const nameOf = namesOfFolder();
    // The archive's own: the folder of images and files, and its contents.
    if (parent === null) for (const own of ["files", "contents.json"]) nameOf(own);
    for (const { id, title } of inside.get(parent) ?? []) {
      const path = [...folder, nameOf(fileStem(title))];
      paths.set(id, path);
      folders.push([id, path]);
    }
  }
  return paths;
}

/** The address of a document of this product, with the block of it that a link may name. */
const documentPattern = (origin: string) =>
  new RegExp(`(\\]\\(<?)(?:${escaped(origin)})?/d/([0-9a-f-]{36})(?:#[\\w-]*)?(?=[\\s()<>])`, "g");

const encodedPart = (part: string) =>
  encodeURIComponent(part).replaceAll("(", "%28").replaceAll(")", "%29");
const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

const addressPattern = (origin: string) =>
  new RegExp(
    `(\\]\\(<?)(?:${escaped(origin)})?/files/([0-9a-f-]{36})(?:\\?[^\\s()<>]*)?(?=[\\s()<>])`,
    "g",
  );

/** The files that a Markdown text of this product shows or links, each once. */
export const filesInMarkdown = (markdown: string, origin: string): string[] => [
  ...new Set([...markdown.matchAll(addressPattern(origin))].map(([, , file = ""]) => file)),
];

/**
 * The same Markdown with the files and documents of an archive in place of their addresses: `pathOf` and
 * `documentPathOf` answer where one lies from the archive's root, null of what is not in it. `depth` is how many folders deep the text lies.
 */
export function withArchivedFiles(
  markdown: string,
  {
    origin,
    depth,
    pathOf,
    documentPathOf,
  }: {
    origin: string;
    depth: number;
    pathOf: (file: string) => string | null;
    documentPathOf: (document: string) => string | null;
  },
): string {
  const relative = (of: typeof pathOf) => (whole: string, before: string, id: string) => {
    const path = of(id);
    if (path === null) return whole;
    return `${before}${"../".repeat(depth)}${path.split("/").map(encodedPart).join("/")}`;
  };
  return markdown
    .replace(addressPattern(origin), relative(pathOf))
    .replace(documentPattern(origin), relative(documentPathOf));
}
