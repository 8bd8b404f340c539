import type { Editor } from "@tiptap/core";
import {
  absolutePositionToRelativePosition,
  relativePositionToAbsolutePosition,
  ySyncPluginKey,
} from "@tiptap/y-tiptap";
import { createRelativePositionFromJSON } from "yjs";
import { never } from "@/events/crdt/updates/lifespans";
import type { PassageRange } from "@/events/analysis/passage";
import { idOf, scriptOf } from "@/events/history/timeline/script";
import type { Place } from "@/events/history/timeline/script";
import type { Timeline } from "@/events/history/timeline/timeline";
import type { TextDomAdapter } from "../model/analysis-model";

/**
 * The live text for the analysis. The adapter maps the editor's characters to those of the script
 * by their Yjs ids.
 */
export class LiveDomAdapter implements TextDomAdapter {
  readonly element: HTMLElement;
  private readonly editor: Editor;
  private readonly timeline: Timeline;

  constructor(editor: Editor, timeline: Timeline) {
    this.element = editor.view.dom;
    this.editor = editor;
    this.timeline = timeline;
  }

  selected(): PassageRange | null {
    if (this.editor.isDestroyed) return null;
    const { from, to, empty } = this.editor.state.selection;
    if (empty) return null;
    // Between two blocks there is no character, so the nearest one in the selection is used.
    let [start, end]: (Place | null)[] = [null, null];
    for (let at = from; at < to && !start; at += 1) start = this.placeAtPosition(at);
    for (let at = to - 1; at >= from && !end; at -= 1) end = this.placeAtPosition(at);
    return start && end ? { start, end } : null;
  }

  placeAt(x: number, y: number): Place | null {
    if (this.editor.isDestroyed) return null;
    const found = this.editor.view.posAtCoords({ left: x, top: y });
    return found && (this.placeAtPosition(found.pos) ?? this.placeAtPosition(found.pos - 1));
  }

  rangeOf({ start, end }: PassageRange): Range | null {
    if (this.editor.isDestroyed) return null;
    const [from, to] = [this.positionOf(start, 1), this.positionOf(end, -1)];
    if (from === null || to === null) return null;
    const [begin, finish] = [
      this.editor.view.domAtPos(from, 1),
      this.editor.view.domAtPos(to + 1, -1),
    ];
    const range = document.createRange();
    range.setStart(begin.node, begin.offset);
    range.setEnd(finish.node, finish.offset);
    return range;
  }

  /**
   * Returns the character after an editor position, or null between blocks and at a block's end.
   */
  private placeAtPosition(position: number): Place | null {
    const sync = ySyncPluginKey.getState(this.editor.state);
    const { doc } = this.editor.state;
    if (!sync || position < 0 || position > doc.content.size) return null;
    const { parent, parentOffset } = doc.resolve(position);
    if (!parent.isTextblock || parentOffset >= parent.content.size) return null;
    // The binding returns the character before a position.
    const { item } = absolutePositionToRelativePosition(
      position + 1,
      sync.type,
      sync.binding.mapping,
    );
    return item ? scriptOf(this.timeline).placeOf(item.client, item.clock) : null;
  }

  /**
   * Returns the editor position of a character or, if it is deleted, of the nearest remaining
   * character after (1) or before (-1) it.
   */
  private positionOf({ textblock: index, offset }: Place, by: 1 | -1): number | null {
    const sync = ySyncPluginKey.getState(this.editor.state);
    const textblock = scriptOf(this.timeline).textblocks[index];
    let at = offset;
    while (textblock && at >= 0 && at < textblock.text.length && textblock.died[at] !== never)
      at += by;
    const item = textblock && at >= 0 && at < textblock.text.length ? idOf(textblock, at) : null;
    if (!sync || !item) return null;
    return relativePositionToAbsolutePosition(
      sync.doc,
      sync.type,
      createRelativePositionFromJSON({ item }),
      sync.binding.mapping,
    );
  }
}
