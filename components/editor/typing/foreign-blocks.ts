import type { EditorView } from "@tiptap/pm/view";

/**
 * The number of redraws that a script undoes before the text counts as contested. A contested text
 * waits longer between redraws (ms).
 */
const contestedAfter = 3;
const longestWait = 2_000;
const quietAfter = 5_000;

/** Blocks whose DOM a foreign script has changed. They are redrawn from the document. */
export class ForeignBlocks {
  private readonly view: EditorView;
  private readonly changed = new Set<Node>();
  private rounds = 0;
  private drawing: ReturnType<typeof setTimeout> | undefined;
  private quiet: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView) {
    this.view = view;
  }

  /** Whether a script undoes each redraw. The DOM of the text must then not be read. */
  get isContested(): boolean {
    return this.rounds > contestedAfter;
  }

  add(node: Node): void {
    this.changed.add(node);
    // In a separate task, because a script that reacts synchronously would loop endlessly.
    this.drawing ??= setTimeout(
      () => void this.draw(),
      this.rounds < 2 ? 0 : Math.min(longestWait, 50 * 2 ** this.rounds),
    );
  }

  /** Redraws the blocks now, before the person types in them. Returns whether any was redrawn. */
  draw(): boolean {
    clearTimeout(this.drawing);
    this.drawing = undefined;
    const { view } = this;
    const nodes = [...this.changed].filter((node) => view.dom.contains(node));
    this.changed.clear();
    if (nodes.length === 0 || view.isDestroyed) return false;
    this.rounds += 1;
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => (this.rounds = 0), quietAfter);
    for (const node of nodes) this.markDirty(node);
    view.updateState(view.state);
    return true;
  }

  stop(): void {
    clearTimeout(this.drawing);
    clearTimeout(this.quiet);
  }

  /** Marks the block that contains a node, or the whole text if its list of blocks was changed. */
  private markDirty(node: Node): void {
    const description: unknown = Reflect.get(this.view, "docView");
    if (typeof description !== "object" || description === null) return;
    if (!("markDirty" in description) || typeof description.markDirty !== "function") return;
    const { doc } = this.view.state;
    const at = node === this.view.dom ? 0 : this.view.posAtDOM(node, 0, -1);
    const $at = doc.resolve(Math.max(0, Math.min(at, doc.content.size)));
    if ($at.depth === 0) description.markDirty(0, doc.content.size);
    else description.markDirty($at.before(1), $at.after(1));
  }
}
