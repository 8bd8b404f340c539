import { DOMSerializer } from "@tiptap/pm/model";
import type { DOMOutputSpec } from "@tiptap/pm/model";
import { rewritingOf } from "@/events/analysis/rewriting";
import { contentOriginOf } from "@/events/analysis/lineage/copy-in";
import type { ContentOrigin } from "@/events/analysis/lineage/copy-in";
import { movesOf } from "@/events/analysis/lineage/moves";
import type { Moves } from "@/events/analysis/lineage/moves";
import type { Block } from "@/events/history/timeline/full-history-text";
import { blockAt } from "@/events/history/timeline/text-page";
import type { PageNode, PageText, PageView } from "@/events/history/timeline/text-page";
import type { Timeline } from "@/events/history/timeline/timeline";
import { linkSpec } from "@/components/editor/document-links/link-spec";
import { documentSchema } from "@/events/content/schema";
import { firstName } from "@/events/read-models/person";
import { personClass } from "@/components/ui/pictures/palette";
import { viewOf } from "./revision-window";
import type { RevisionWindow } from "./revision-window";

export type Person = { userId: string; name: string; color: number };

/** Resolves a file to a URL outside the product. Returns null if the file is unavailable. */
export type FilePaths = (file: string) => string | null;

/** The author who is shown for content of a fork, a merge or an import. */
const elsewhere: Person = { userId: "", name: "Written elsewhere", color: 10 };

const overlap = /--[a-zA-Z0-9+/=]{8}$/;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function known(
  attrs: unknown,
  names: Record<string, unknown> | undefined,
): Record<string, unknown> {
  return isRecord(attrs)
    ? Object.fromEntries(Object.entries(attrs).filter(([name]) => names && name in names))
    : {};
}

const wordBegins = /^[\p{L}\p{N}]/u;
const wordEnds = /[\p{L}\p{N}]$/u;

/** Returns the classes that add space where struck words touch others without a space. */
function spaceAround(content: readonly (PageNode | PageText)[], index: number): string {
  const node = content[index];
  if (!node || !("text" in node) || node.died === null) return "";
  const standing = (near: PageNode | PageText | undefined) =>
    near && "text" in near && near.died === null ? near.text : "";
  const before = wordEnds.test(standing(content[index - 1])) && wordBegins.test(node.text);
  const after = wordEnds.test(node.text) && wordBegins.test(standing(content[index + 1]));
  return `${before ? " after-word" : ""}${after ? " before-word" : ""}`;
}

/** Sets the URL of an image or a file, or removes it if `path` is null. */
function showFrom(block: HTMLElement, path: string | null): void {
  for (const [selector, name] of [
    ["img", "src"],
    ["a", "href"],
  ] as const)
    for (const shown of block.querySelectorAll(selector))
      if (path === null) shown.removeAttribute(name);
      else shown.setAttribute(name, path);
}

/** Renders blocks at a revision to DOM, with authors and times, struck words, and the caret. */
export class BlockRenderer {
  private readonly timeline: Timeline;
  private readonly people: Person[];
  private readonly contentOrigin: ContentOrigin;
  private readonly moves: Moves;
  private readonly pathOf: FilePaths | null;
  private caret: HTMLElement | null = null;

  constructor(timeline: Timeline, people: ReadonlyMap<string, Person>, pathOf: FilePaths | null) {
    this.timeline = timeline;
    this.pathOf = pathOf;
    this.contentOrigin = contentOriginOf(timeline);
    this.moves = movesOf(timeline);
    this.people = timeline.authors.map(
      (userId) => people.get(userId) ?? { userId, name: "Somebody", color: 10 },
    );
  }

  /** Returns the caret of the revision's author, or null if no rendered block contains it. */
  get place(): HTMLElement | null {
    return this.caret;
  }

  /** Starts rendering another revision. */
  begin(): void {
    this.caret = null;
  }

  /** Returns the DOM nodes of a block in a window. */
  nodesOf(block: Block, window: RevisionWindow): Node[] {
    return blockAt(block, this.viewOf(window)).flatMap((node) => this.rendered(node, window));
  }

  /** Returns a block's view. With all authors coloured, a copy has its first author's colour. */
  private viewOf(window: RevisionWindow): PageView {
    const view = viewOf(window, this.timeline, this.contentOrigin, this.moves);
    return window.tinting === "all"
      ? { ...view, birthsIn: (textblock) => rewritingOf(this.timeline).birthsIn(textblock) }
      : view;
  }

  private age(revision: number, { at }: RevisionWindow): number {
    return Math.round(
      this.timeline.timingMap.playedAt(at) - this.timeline.timingMap.playedAt(revision),
    );
  }

  private rendered(node: PageNode | PageText, window: RevisionWindow, space = ""): Node[] {
    return "text" in node ? this.text(node, window, space) : [this.element(node, window)];
  }

  private element(node: PageNode, window: RevisionWindow): Node {
    const type = documentSchema.nodes[node.name];
    const spec: DOMOutputSpec = linkSpec(node.name, node.attrs) ??
      type?.spec.toDOM?.(type.create(known(node.attrs, type.spec.attrs))) ?? ["div", 0];
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec);
    if (node.died !== null && node.name === "documentLink" && dom instanceof Element)
      dom.classList.add("gone-link");
    if (this.pathOf && dom instanceof HTMLElement && dom.dataset.file !== undefined)
      showFrom(dom, this.pathOf(dom.dataset.file));
    if (contentDOM) this.fill(contentDOM, node.content, window);
    // An empty paragraph keeps its line height, as in the editor.
    if (contentDOM && node.content.length === 0 && type?.isTextblock)
      contentDOM.appendChild(document.createElement("br"));
    for (const input of dom instanceof Element ? dom.querySelectorAll("input") : [])
      input.disabled = true;
    return dom;
  }

  /**
   * Renders the content of a node. Consecutive words that one person struck form one deletion,
   * however many edits deleted them, so that screen readers announce them once.
   */
  private fill(
    into: HTMLElement,
    content: readonly (PageNode | PageText)[],
    window: RevisionWindow,
  ): void {
    const strikers = content.map((node) =>
      "text" in node && node.died !== null ? this.timeline.authorOf(node.died) : null,
    );
    let place = into;
    for (const [index, child] of content.entries()) {
      const by = strikers[index] ?? null;
      if (by === null) place = into;
      else if (by !== strikers[index - 1]) {
        place = document.createElement("del");
        into.append(place);
      }
      place.append(...this.rendered(child, window, spaceAround(content, index)));
    }
  }

  private text(
    { text, marks, born, written, died }: PageText,
    window: RevisionWindow,
    space: string,
  ): Node[] {
    const { at, session, tinting } = window;
    const isReturned = this.moves.returnAt(born) !== null;
    const isFresh = born >= window.fresh && !isReturned;
    let inner: Node =
      died === null ? document.createTextNode(text) : this.struck(text, died, space, window);
    if (died === null && born >= session && (!isReturned || tinting === "all")) {
      const wash = isFresh
        ? this.personal("ins", born, "fresh")
        : this.personal("span", written, "dry");
      if (isFresh) wash.style.setProperty("--age", `${this.age(born, window)}ms`);
      wash.append(inner);
      inner = wash;
    }
    for (const { type: name, attrs } of marks.toReversed()) {
      const type = documentSchema.marks[name.replace(overlap, "")];
      const spec = type?.spec.toDOM?.(type.create(known(attrs, type.spec.attrs)), true);
      if (!spec) continue;
      const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec);
      (contentDOM ?? dom).appendChild(inner);
      inner = dom;
    }
    if (born === at && died === null && !isReturned) return [inner, ...this.caretAt(born)];
    return died === at ? [...this.caretAt(died), inner] : [inner];
  }

  private person(revision: number): Person | undefined {
    return this.people[this.timeline.authorOf(revision)];
  }

  /** Renders struck words by CSS and not as DOM text, so that they cannot be copied or searched. */
  private struck(text: string, died: number, space: string, window: RevisionWindow): HTMLElement {
    const struck = this.personal(
      "span",
      died,
      died >= window.fresh || window.moving ? `struck${space}` : `gone${space}`,
    );
    struck.dataset.text = text;
    struck.style.setProperty("--age", `${this.age(died, window)}ms`);
    return struck;
  }

  private personal(tag: "ins" | "span", revision: number, state: string): HTMLElement {
    const person = this.contentOrigin.copyInAt(revision) ? elsewhere : this.person(revision);
    const element = document.createElement(tag);
    element.className = `${personClass(person?.color ?? 10)} ${state}`;
    element.dataset.author = person?.name ?? "somebody";
    return element;
  }

  /**
   * Returns the caret of a revision, behind the last written text. There is only one caret. A
   * copy-in has no author, so its caret is invisible.
   */
  private caretAt(revision: number): HTMLElement[] {
    const isCopyIn = this.contentOrigin.copyInAt(revision) !== null;
    if (isCopyIn && this.caret !== null) return [];
    this.caret?.remove();
    const person = this.person(revision);
    const caret = document.createElement("span");
    caret.className = `caret at ${personClass(person?.color ?? 10)}`;
    caret.setAttribute("aria-hidden", "true");
    // The invisible caret still marks the place of the revision on the page.
    if (isCopyIn) caret.style.visibility = "hidden";
    const flag = document.createElement("span");
    // As an attribute, the name is neither copied nor read aloud with the text.
    flag.dataset.name = firstName(person ?? { name: "Somebody" });
    caret.append(flag);
    this.caret = caret;
    return [caret];
  }
}
