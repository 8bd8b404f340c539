import { movesOf } from "@/events/analysis/lineage/moves";
import { type Block } from "@/events/history/timeline/full-history-text";
import { type Timeline } from "@/events/history/timeline/timeline";
import { goToPlace } from "@/components/frame/reading-place";
import { type BesideText } from "./beside-text";
import { BlockRenderer, type FilePaths, type Person } from "./block-renderer";
import { BlockWindow, type Windowed } from "./block-window";
import { type Colour } from "@/components/history/playback/colour";
import { type RevisionWindow, unchanged, windowAt } from "./revision-window";
import type { ComingFrom } from "./coming-from";
import { PageViewport } from "./page-viewport";

type Shown = { window: RevisionWindow; now: boolean; nodes: Node[] };

/** How far below the upper edge a block stands that was gone to, in pixels. */
const room = 96;

function createSpacer(): HTMLElement {
  const spacer = document.createElement("div");
  spacer.setAttribute("aria-hidden", "true");
  return spacer;
}

/**
 * The text as it stood, kept in the DOM block by block: a block is made again only if something in
 * it, or the way it is tinted, changed between the revision shown and the one asked for. Of a long
 * text only what is around the viewport is there.
 */
export class RevisionView {
  private readonly root: HTMLElement;
  private readonly timeline: Timeline;
  private readonly blockBeside: BesideText["blockAt"];
  private readonly renderer: BlockRenderer;
  private readonly shown = new Map<Block, Shown>();
  private readonly blockWindow: BlockWindow;
  private readonly spacers: { above: HTMLElement; below: HTMLElement };
  private viewport: PageViewport;

  /**
   * `blockBeside` names the block that a revision is about which wrote nothing; `pathOf` where files
   * are that are not shown from the product.
   */
  constructor(
    root: HTMLElement,
    timeline: Timeline,
    people: ReadonlyMap<string, Person>,
    blockBeside: BesideText["blockAt"] = () => null,
    pathOf: FilePaths | null = null,
  ) {
    this.root = root;
    this.blockBeside = blockBeside;
    this.timeline = timeline;
    this.renderer = new BlockRenderer(timeline, people, pathOf);
    const { returnAt } = movesOf(timeline);
    this.blockWindow = new BlockWindow(timeline.historyText, (died) => returnAt(died) !== null);
    this.viewport = new PageViewport(root, () => this.blockWindow.forget());
    this.spacers = { above: createSpacer(), below: createSpacer() };
    root.replaceChildren();
  }

  /** Where the author of the revision shown was writing, if that is to be seen. */
  get place(): HTMLElement | null {
    return this.renderer.place;
  }

  /** The revision shown. */
  private get at(): number {
    return Number(this.root.dataset.revision ?? 0);
  }

  /**
   * Shows a revision; `moving` while it plays, when writing dries and what was struck leaves on its
   * own. With `reveal` the page goes to where the revision wrote, or to the words that something
   * beside the text was about at it, if that is not to be seen.
   */
  show(at: number, tinting: Colour, moving = false, reveal = false): void {
    const isReturn = movesOf(this.timeline).returnAt(at) !== null;
    const window = windowAt(this.timeline, at, tinting, moving, isReturn);
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
    this.renderer.begin();
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
    const node =
      whole && changed && !this.renderer.place ? this.shown.get(changed)?.nodes[0] : null;
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
  goTo(place: ComingFrom): void {
    if ("key" in place) return this.goToBlock(place.key);
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

  /** Goes to a block and marks it, where it stands at the revision shown. */
  private goToBlock(key: string): void {
    const block = this.timeline.blocks.find((each) => each.key === key);
    if (block === undefined || block.born > this.at || block.died <= this.at) return;
    this.goTo({ block: this.blockWindow.indexOf(block.index), line: 0, words: "", offset: room });
    for (const node of this.shown.get(block)?.nodes ?? [])
      if (node instanceof HTMLElement) node.dataset.linked = "";
  }

  /** Calls back when so much was scrolled that other blocks may be to be seen; answers how to stop. */
  whenScrolled(listener: () => void): () => void {
    return this.viewport.watch(listener);
  }

  /** Remembers how high the blocks in the page are; reads the layout, so it is for when that has been made anyway. */
  learnHeights(): void {
    const { at } = this;
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
    const nodes: Node[] = same ? before.nodes : this.renderer.nodesOf(block, window);
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
}
