import { DOMSerializer, type DOMOutputSpec } from "@tiptap/pm/model";
import { rewritingOf } from "@/events/analysis/rewriting";
import { type ContentOrigin, contentOriginOf } from "@/events/analysis/lineage/copy-in";
import { type Block } from "@/events/history/timeline/full-history-text";
import {
  blockAt,
  type PageNode,
  type PageText,
  type PageView,
} from "@/events/history/timeline/text-page";
import { type Timeline } from "@/events/history/timeline/timeline";
import { documentSchema } from "@/events/content/schema";
import { goToPlace, type ReadingPlace } from "@/components/frame/reading-place";
import { firstName } from "@/events/read-models/person";
import { personClass } from "@/components/ui/palette";
import { type BesideText } from "./beside-text";
import { BlockWindow, type Windowed } from "./block-window";
import { type RevisionWindow, type Tinting, unchanged, viewOf, windowAt } from "./revision-window";
import { PageViewport } from "./page-viewport";

export type Person = { userId: string; name: string; color: number };

/** Whom the letters are given that a fork, a merge or an import brought. */
const elsewhere: Person = { userId: "", name: "Written elsewhere", color: 10 };

type Shown = { window: RevisionWindow; now: boolean; nodes: Node[] };

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

function createSpacer(): HTMLElement {
  const spacer = document.createElement("div");
  spacer.setAttribute("aria-hidden", "true");
  return spacer;
}

const wordBegins = /^[\p{L}\p{N}]/u;
const wordEnds = /[\p{L}\p{N}]$/u;

/** Where struck words meet standing ones with no space between, which room the style sheet gives them. */
function spaceAround(content: readonly (PageNode | PageText)[], index: number): string {
  const node = content[index];
  if (!node || !("text" in node) || node.died === null) return "";
  const standing = (near: PageNode | PageText | undefined) =>
    near && "text" in near && near.died === null ? near.text : "";
  const before = wordEnds.test(standing(content[index - 1])) && wordBegins.test(node.text);
  const after = wordEnds.test(node.text) && wordBegins.test(standing(content[index + 1]));
  return `${before ? " after-word" : ""}${after ? " before-word" : ""}`;
}

/**
 * The text as it stood, kept in the DOM block by block: a block is made again only if something in
 * it, or the way it is tinted, changed between the revision shown and the one asked for. Of a long
 * text only what is around the viewport is there.
 */
export class RevisionView {
  private readonly root: HTMLElement;
  private readonly timeline: Timeline;
  private readonly people: Person[];
  private readonly blockBeside: BesideText["blockAt"];
  private readonly contentOrigin: ContentOrigin;
  private readonly shown = new Map<Block, Shown>();
  private readonly blockWindow: BlockWindow;
  private readonly spacers: { above: HTMLElement; below: HTMLElement };
  private caret: HTMLElement | null = null;
  private viewport: PageViewport;

  /** `blockBeside` names the block that a revision is about which wrote nothing. */
  constructor(
    root: HTMLElement,
    timeline: Timeline,
    people: ReadonlyMap<string, Person>,
    blockBeside: BesideText["blockAt"] = () => null,
  ) {
    this.root = root;
    this.blockBeside = blockBeside;
    this.timeline = timeline;
    this.contentOrigin = contentOriginOf(timeline);
    this.people = timeline.authors.map(
      (userId) => people.get(userId) ?? { userId, name: "Somebody", color: 10 },
    );
    this.blockWindow = new BlockWindow(timeline.historyText);
    this.viewport = new PageViewport(root, () => this.blockWindow.forget());
    this.spacers = { above: createSpacer(), below: createSpacer() };
    root.replaceChildren();
  }

  /** Where the author of the revision shown was writing, if that is to be seen. */
  get place(): HTMLElement | null {
    return this.caret;
  }

  /**
   * Shows a revision; `moving` while it plays, when writing dries and what was struck leaves on its
   * own. With `reveal` the page goes to where the revision wrote, or to the words that something
   * beside the text was about at it, if that is not to be seen.
   */
  show(at: number, tinting: Tinting, moving = false, reveal = false): void {
    const window = windowAt(this.timeline, at, tinting, moving);
    this.root.dataset.revision = `${at}`;
    const changed = reveal
      ? (this.timeline.historyText.blockOf(at) ?? this.blockBeside(this.timeline, at))
      : null;
    // A short text is there as a whole, so nothing has to be measured before it is drawn: that
    // would lay the page out twice.
    const whole = this.blockWindow.take(at, window.struck);
    const { blocks, above, below, top } = whole
      ? { ...this.blockWindow.all(), top: null }
      : this.windowed(at, changed);
    this.caret = null;
    const shownBlocks = new Set(blocks);
    for (const [block, { nodes }] of this.shown) {
      if (shownBlocks.has(block)) continue;
      for (const node of nodes) node.parentNode?.removeChild(node);
      this.shown.delete(block);
    }
    let next: ChildNode | null = this.root.firstChild;
    if (next === this.spacers.above) next = next.nextSibling;
    for (const block of blocks) next = this.showBlock(block, window, next);
    this.sizeSpacers(above, below);
    if (top !== null) this.viewport.goTo(top);
    const node = whole && changed && !this.caret ? this.shown.get(changed)?.nodes[0] : null;
    if (node instanceof HTMLElement) this.viewport.bringIn(node);
  }

  /** The blocks around the viewport, or around what changed if that is not to be seen: `top` is where to go then. */
  private windowed(at: number, changed: Block | null): Windowed & { top: number | null } {
    const seen = this.viewport.read();
    this.blockWindow.lay(at, seen.measure);
    const goal = changed && this.blockWindow.place(changed);
    const hidden = goal && (goal.top + goal.height < seen.top || goal.top > seen.top + seen.height);
    const top = hidden ? Math.max(0, goal.top - seen.height / 2) : null;
    return { ...this.blockWindow.around({ top: top ?? seen.top, height: seen.height }), top };
  }

  /** Goes to a place in the text that is shown, also where that part of it is not in the page yet. */
  goTo(place: ReadingPlace): void {
    const window = [...this.shown.values()].at(-1)?.window;
    const top = this.blockWindow.topOf(place.block);
    if (
      window &&
      top !== null &&
      (this.spacers.above.isConnected || this.spacers.below.isConnected)
    ) {
      this.viewport.goTo(Math.max(0, top - place.offset));
      this.show(window.at, window.tinting, window.moving);
    }
    const blocks = [...this.root.children].filter(
      (element) => element instanceof HTMLElement && element.dataset.block !== undefined,
    );
    const first = this.blockWindow.indexOf(
      Number(blocks[0] instanceof HTMLElement ? blocks[0].dataset.block : 0),
    );
    goToPlace(this.root, { ...place, block: Math.max(0, place.block - first) }, blocks);
  }

  /** Calls back when so much was scrolled that other blocks may be to be seen; answers how to stop. */
  whenScrolled(listener: () => void): () => void {
    return this.viewport.watch(listener);
  }

  /** Remembers how high the blocks in the page are; reads the layout, so it is for when that has been made anyway. */
  learnHeights(): void {
    const at = Number(this.root.dataset.revision ?? 0);
    for (const [block, { nodes }] of this.shown) {
      const [node] = nodes;
      if (!(node instanceof HTMLElement)) continue;
      const after = node.nextElementSibling;
      const height =
        after instanceof HTMLElement ? after.offsetTop - node.offsetTop : node.offsetHeight;
      if (height > 0) this.blockWindow.learn(block, at, height);
    }
  }

  private showBlock(
    block: Block,
    window: RevisionWindow,
    from: ChildNode | null,
  ): ChildNode | null {
    let next = from;
    const before = this.shown.get(block);
    // What changes at this revision holds the caret, and must be made again at the next.
    const now = !block.quietBetween(window.at - 1, window.at);
    const same = before && !now && !before.now && unchanged(block, before.window, window);
    const nodes: Node[] = same
      ? before.nodes
      : blockAt(block, this.viewOf(window)).flatMap((node) => this.rendered(node, window));
    if (before && !same) {
      for (const node of before.nodes) {
        if (node === next) next = next.nextSibling;
        node.parentNode?.removeChild(node);
      }
    }
    for (const node of nodes) {
      if (node === next) next = next.nextSibling;
      else this.root.insertBefore(node, next);
      if (!same && node instanceof HTMLElement) node.dataset.block = `${block.index}`;
    }
    this.shown.set(block, { window, now, nodes });
    return next;
  }

  /**
   * Where all writing wears its author's colour, words that were written anew wear that of whoever
   * wrote them first.
   */
  private viewOf(window: RevisionWindow): PageView {
    const view = viewOf(window, this.timeline, this.contentOrigin);
    return window.tinting === "all"
      ? { ...view, birthsIn: (textblock) => rewritingOf(this.timeline).birthsIn(textblock) }
      : view;
  }

  /** Keeps the page as long as the whole text, so that its scroll bar says where one is. */
  private sizeSpacers(above: number, below: number): void {
    for (const [part, height] of [
      [this.spacers.above, above],
      [this.spacers.below, below],
    ] as const) {
      if (height === 0) part.remove();
      else part.style.blockSize = `${Math.round(height)}px`;
    }
    if (above > 0 && this.root.firstChild !== this.spacers.above)
      this.root.prepend(this.spacers.above);
    if (below > 0 && this.root.lastChild !== this.spacers.below)
      this.root.append(this.spacers.below);
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
    const spec: DOMOutputSpec = type?.spec.toDOM?.(
      type.create(known(node.attrs, type.spec.attrs)),
    ) ?? ["div", 0];
    const { dom, contentDOM } = DOMSerializer.renderSpec(document, spec);
    for (const [index, child] of node.content.entries()) {
      for (const made of this.rendered(child, window, spaceAround(node.content, index)))
        contentDOM?.appendChild(made);
    }
    // An empty paragraph keeps its line, as it does in the editor.
    if (contentDOM && node.content.length === 0 && type?.isTextblock)
      contentDOM.appendChild(document.createElement("br"));
    for (const input of dom instanceof Element ? dom.querySelectorAll("input") : [])
      input.disabled = true;
    return dom;
  }

  private text(
    { text, marks, born, written, died }: PageText,
    window: RevisionWindow,
    space: string,
  ): Node[] {
    const { at, fresh, session } = window;
    let inner: Node =
      died === null ? document.createTextNode(text) : this.struck(text, died, space, window);
    if (died === null && born >= session) {
      const wash =
        born >= fresh ? this.personal("ins", born, "fresh") : this.personal("span", written, "dry");
      if (born >= fresh) wash.style.setProperty("--age", `${this.age(born, window)}ms`);
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
    if (born === at && died === null) return [inner, ...this.caretAt(born)];
    return died === at ? [...this.caretAt(died), inner] : [inner];
  }

  private person(revision: number): Person | undefined {
    return this.people[this.timeline.authorOf(revision)];
  }

  /**
   * What is gone is shown by the style sheet and is no part of the text: it can be read, and not
   * copied or searched.
   */
  private struck(text: string, died: number, space: string, window: RevisionWindow): HTMLElement {
    const struck = this.personal(
      "del",
      died,
      died >= window.fresh || window.moving ? `struck${space}` : `gone${space}`,
    );
    struck.dataset.text = text;
    struck.style.setProperty("--age", `${this.age(died, window)}ms`);
    return struck;
  }

  private personal(tag: "ins" | "del" | "span", revision: number, state: string): HTMLElement {
    const person = this.contentOrigin.copyInAt(revision) ? elsewhere : this.person(revision);
    const element = document.createElement(tag);
    element.className = `${personClass(person?.color ?? 10)} ${state}`;
    element.dataset.author = person?.name ?? "somebody";
    return element;
  }

  /**
   * The caret of a revision: one, behind the last of what was written; what came in one piece from
   * elsewhere was written by no hand here.
   */
  private caretAt(revision: number): HTMLElement[] {
    const isCopyIn = this.contentOrigin.copyInAt(revision) !== null;
    if (isCopyIn && this.caret !== null) return [];
    this.caret?.remove();
    const person = this.person(revision);
    const caret = document.createElement("span");
    caret.className = `caret at ${personClass(person?.color ?? 10)}`;
    caret.setAttribute("aria-hidden", "true");
    // It still says where on the page the revision is.
    if (isCopyIn) caret.style.visibility = "hidden";
    const flag = document.createElement("span");
    // As an attribute, so that a name is never part of the text that is copied or read.
    flag.dataset.name = firstName(person ?? { name: "Somebody" });
    caret.append(flag);
    this.caret = caret;
    return [caret];
  }
}
