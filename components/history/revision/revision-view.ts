import { movesOf } from "@/events/analysis/lineage/moves";
import type { Block } from "@/events/history/timeline/full-history-text";
import type { Timeline } from "@/events/history/timeline/timeline";
import { goToPlace } from "@/components/frame/reading-place";
import type { BesideText } from "./beside-text";
import { BlockRenderer } from "./block-renderer";
import type { FilePaths, Person } from "./block-renderer";
import { BlockWindow } from "./block-window";
import type { Windowed } from "./block-window";
import type { Colour } from "@/components/history/playback/colour";
import { unchanged, windowAt } from "./revision-window";
import type { RevisionWindow } from "./revision-window";
import type { ComingFrom } from "./coming-from";
import { PageViewport } from "./page-viewport";

type Shown = { window: RevisionWindow; now: boolean; nodes: Node[] };

/** Scroll margin above a linked block, in px. */
const room = 96;

function createSpacer(): HTMLElement {
  const spacer = document.createElement("div");
  spacer.setAttribute("aria-hidden", "true");
  return spacer;
}

/**
 * Keeps the text at a revision in the DOM, block by block. A block is rendered again only if its
 * content or tinting differs between the shown revision and the requested one. Of a long text, only
 * the part around the viewport is rendered.
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
   * `blockBeside` returns the block to show for a revision that changed no text. `pathOf` resolves
   * files that the product does not serve.
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

  /** Returns the caret of the shown revision's author, or null if it is not rendered. */
  get place(): HTMLElement | null {
    return this.renderer.place;
  }

  /** The revision that the page shows. */
  private get at(): number {
    return Number(this.root.dataset.revision ?? 0);
  }

  /**
   * Shows a revision. With `moving`, during playback, fresh text fades and struck words disappear.
   * With `reveal`, the page scrolls to the revision's change if that is out of view. Without a
   * change of text, it scrolls to the words to which the content beside the text refers.
   */
  show(at: number, tinting: Colour, moving = false, reveal = false): void {
    const isReturn = movesOf(this.timeline).returnAt(at) !== null;
    const window = windowAt(this.timeline, at, tinting, moving, isReturn);
    this.root.dataset.revision = `${at}`;
    const changed = reveal
      ? (this.timeline.historyText.blockOf(at) ?? this.blockBeside(this.timeline, at))
      : null;
    // A short text is rendered whole. Measuring first would lay out the page twice.
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

  /**
   * Returns the blocks around the viewport, or around a change out of view. For such a change,
   * `top` is the new scroll position.
   */
  private windowed(at: number, changed: Block | null): Windowed & { top: number | null } {
    const seen = this.viewport.read();
    this.blockWindow.lay(at, seen.measure);
    const goal = changed && this.blockWindow.place(changed);
    const hidden = goal && (goal.top + goal.height < seen.top || goal.top > seen.top + seen.height);
    const top = hidden ? Math.max(0, goal.top - seen.height / 2) : null;
    return { ...this.blockWindow.around({ top: top ?? seen.top, height: seen.height }), top };
  }

  /** Scrolls to a place in the shown text, even if the place is not rendered yet. */
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

  /** Scrolls to a block and marks it, if it exists at the shown revision. */
  private goToBlock(key: string): void {
    const block = this.timeline.blocks.find((each) => each.key === key);
    if (block === undefined || block.born > this.at || block.died <= this.at) return;
    this.goTo({ block: this.blockWindow.indexOf(block.index), line: 0, words: "", offset: room });
    for (const node of this.shown.get(block)?.nodes ?? [])
      if (node instanceof HTMLElement) node.dataset.linked = "";
  }

  /**
   * Calls `listener` when scrolling may have brought other blocks into view. Returns the function
   * that stops.
   */
  whenScrolled(listener: () => void): () => void {
    return this.viewport.watch(listener);
  }

  /**
   * Stores the heights of the rendered blocks. The function reads the layout, so call it only when
   * the layout is up to date.
   */
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
    // A block that changes at this revision contains the caret, and must be rendered again at the
    // next revision.
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

  /** Keeps the page as high as the whole text, so that the scroll bar shows the position. */
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
