import { pathInArchive } from "./archive-path";
import type { ArchivedFile } from "./import-archive";
import { importLimits } from "./import-error";

/**
 * Finds the document that an address leads to, from the folder of the text. Returns null for any
 * other address.
 */
export type DocumentSource = (address: string, words: string) => string | null;

const ending = /\.(md|markdown|html?|docx|txt)$/i;
const notionId = /[0-9a-f]{32}$/i;
/** Outline's document addresses: words of the title, and an id that Outline's archives lack. */
const ofOutline = /^(?:https?:\/\/[^/]+)?\/doc\/([^/?#]+)-[A-Za-z0-9]{8,12}(?:[?#]|$)/;
const ofNotion = /^https?:\/\/(?:[\w-]+\.)*notion\.(?:so|site)\/[^?#]*?([0-9a-f]{32})(?:[?#]|$)/i;
const ofDocs = /^https?:\/\/docs\.google\.com\/(?:document|open)\b/i;
const ownPath = /^\/d\/([0-9a-f-]{36})\/?(?:[?#]|$)/i;

const keyOf = (path: readonly string[]) => path.join("/").normalize("NFC").toLowerCase();
const plainName = (path: readonly string[]) => (path.at(-1) ?? "").replace(ending, "");
const bareName = (name: string) => name.replace(/[ _-]?[0-9a-f]{32}$/i, "");
const slugOf = (name: string) =>
  bareName(name)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");

/** Names that may be ambiguous. A name of two documents resolves to none. */
class Names {
  private readonly ids = new Map<string, string | null>();

  add(name: string, id: string): void {
    if (name === "") return;
    const known = this.ids.get(name);
    this.ids.set(name, known === undefined || known === id ? id : null);
  }

  get(name: string): string | null {
    return this.ids.get(name) ?? null;
  }
}

/** Returns the target of an address. Google wraps links to other sites in a redirect. */
export function unwrapped(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : null;
  const isGoogle = url !== null && /^(?:www\.)?google\.[a-z.]+$/.test(url.hostname);
  return (isGoogle && url.pathname === "/url" && url.searchParams.get("q")) || address;
}

/** An archive's documents by every name that exporting programs use in links. */
export class ArchiveDocuments {
  private readonly byPath = new Map<string, string>();
  private readonly byStem = new Names();
  private readonly byEnd = new Names();
  private readonly byNotionId = new Names();
  private readonly bySlug = new Names();
  private readonly byName = new Names();
  private readonly byOwnId = new Map<string, string>();
  private readonly origin: string;

  constructor(origin: string) {
    this.origin = origin;
  }

  /** Adds a file of the archive that becomes the document with this id. */
  add({ path }: Pick<ArchivedFile, "path">, id: string): void {
    const stem = [...path.slice(0, -1), plainName(path)];
    this.byPath.set(keyOf(path), id);
    this.byStem.add(keyOf(stem), id);
    const near = path.slice(-importLimits.levels);
    for (const from of near.keys()) this.byEnd.add(keyOf(near.slice(from)), id);
    const name = plainName(path);
    this.byNotionId.add(notionId.exec(name)?.[0].toLowerCase() ?? "", id);
    this.bySlug.add(slugOf(name), id);
    this.byName.add(bareName(name).trim().toLowerCase(), id);
  }

  /** Adds the table of contents of an archive of ours: its documents' ids and files. */
  addContents(contents: readonly { id: string; file: string }[]): void {
    for (const { id, file } of contents) {
      const found = this.byPath.get(keyOf(file.split("/")));
      if (found !== undefined) this.byOwnId.set(id.toLowerCase(), found);
    }
  }

  /** Returns a finder for the documents that a text in this folder links to. */
  from(folder: readonly string[]): DocumentSource {
    return (address, words) => this.find(address.trim(), words, folder);
  }

  private find(address: string, words: string, folder: readonly string[]): string | null {
    const own = address.startsWith(`${this.origin}/`) ? address.slice(this.origin.length) : address;
    const [, ownId] = ownPath.exec(own) ?? [];
    if (ownId !== undefined) return this.byOwnId.get(ownId.toLowerCase()) ?? null;
    const [, ofThisNotion] = ofNotion.exec(address) ?? [];
    if (ofThisNotion !== undefined) return this.byNotionId.get(ofThisNotion.toLowerCase());
    const [, slug] = ofOutline.exec(address) ?? [];
    if (slug !== undefined) return this.bySlug.get(slugOf(slug));
    if (ofDocs.test(address)) return this.byName.get(words.trim().toLowerCase());
    const path = pathInArchive(address, folder);
    const fromRoot = pathInArchive(address, []);
    if (path === null && fromRoot === null) return null;
    return this.at(path ?? []) ?? this.byEnd.get(keyOf(fromRoot ?? [])) ?? this.ofName(fromRoot);
  }

  private at(path: readonly string[]): string | null {
    if (path.length === 0) return null;
    return this.byPath.get(keyOf(path)) ?? this.byStem.get(keyOf(path));
  }

  /** Finds a document by the id in its name, which Notion keeps when it shortens long paths. */
  private ofName(path: readonly string[] | null): string | null {
    const id = notionId.exec(plainName(path ?? []))?.[0];
    return id === undefined ? null : this.byNotionId.get(id.toLowerCase());
  }
}
