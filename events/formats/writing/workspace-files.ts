import { fileStem } from "./file-stem";

type Placed = { id: string; title: string; parent: string | null };

/** Returns a function that numbers names to make them unique in one folder of any file system. */
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
 * Returns each document's path in an archive, without extension. Children are in a folder with
 * their parent's name. A document whose parent is not included is at the top.
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
    // Reserves the names of the folder of images and files, and of the table of contents.
    if (parent === null) for (const own of ["files", "contents.json"]) nameOf(own);
    for (const { id, title } of inside.get(parent) ?? []) {
      const path = [...folder, nameOf(fileStem(title))];
      paths.set(id, path);
      folders.push([id, path]);
    }
  }
  return paths;
}

/** Matches the address of a document of ours, optionally with a block. */
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

/** Returns the files that one of our Markdown texts shows or links, each once. */
export const filesInMarkdown = (markdown: string, origin: string): string[] => [
  ...new Set([...markdown.matchAll(addressPattern(origin))].map(([, , file = ""]) => file)),
];

/**
 * Replaces the addresses in Markdown by the paths of an archive's files and documents. `pathOf` and
 * `documentPathOf` return a path from the archive's root, or null if the target is not included.
 * `depth` is the number of folders around the text.
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
