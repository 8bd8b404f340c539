import { TextSelection } from "@tiptap/pm/state";
import type { EditorState, Selection, Transaction } from "@tiptap/pm/state";
import type { Mapping } from "@tiptap/pm/transform";
import type { EarlyPaste } from "./early-capture";

/** Dispatches a paste event with held clipboard data to an element. */
export function dispatchPaste(element: Element, { strings, files }: EarlyPaste): void {
  const clipboardData = new DataTransfer();
  for (const [type, words] of Object.entries(strings)) clipboardData.setData(type, words);
  for (const file of files) clipboardData.items.add(file);
  element.dispatchEvent(
    new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }),
  );
}

/** Copies the strings and files of a clipboard, which are only readable during its event. */
export function clipboardContent(data: DataTransfer): EarlyPaste {
  const strings: Record<string, string> = {};
  for (const type of data.types) if (type !== "Files") strings[type] = data.getData(type);
  return { strings, files: [...data.files] };
}

/** A selection that can be mapped through later changes. */
type MovedSelection = {
  /**
   * `side` says whether content inserted at an end of the selection follows the end (-1) or
   * precedes it (1).
   */
  map(mapping: Mapping, side: -1 | 1): MovedSelection;
  in(state: EditorState): Selection;
};

function movedSelection(selection: Selection): MovedSelection {
  if (selection instanceof TextSelection) return movedText(selection.from, selection.to);
  const moved = (bookmark: ReturnType<Selection["getBookmark"]>): MovedSelection => ({
    map: (mapping) => moved(bookmark.map(mapping)),
    in: ({ doc }) => bookmark.resolve(doc),
  });
  return moved(selection.getBookmark());
}

function movedText(from: number, to: number): MovedSelection {
  return {
    map: (mapping, side) => movedText(mapping.map(from, side), mapping.map(to, side)),
    in: ({ doc }) => TextSelection.between(doc.resolve(from), doc.resolve(to)),
  };
}

/** The parts of an editor that pastes need. */
type PasteTarget = {
  readonly state: EditorState;
  readonly isEditable: boolean;
  readonly isDestroyed: boolean;
  readonly view: { dispatch(transaction: Transaction): void };
};

type HeldPaste = { data: EarlyPaste; place: MovedSelection };

/**
 * Holds pastes until the code that handles them is loaded, and then pastes each one at its
 * position, in order. If loading fails, they are pasted without that code.
 */
export class HeldPastes {
  private readonly editor: PasteTarget;
  private readonly load: () => Promise<void>;
  private readonly paste: (data: EarlyPaste) => void;
  private held: HeldPaste[] = [];
  private caret: MovedSelection | null = null;
  private isReleasing = false;
  /** Resolves once no paste is held. Null if none is held. */
  released: Promise<void> | null = null;

  constructor(
    editor: PasteTarget,
    { load, paste }: { load: () => Promise<void>; paste: (data: EarlyPaste) => void },
  ) {
    this.editor = editor;
    this.load = load;
    this.paste = paste;
  }

  /** Holds a paste. Returns false if the text is read-only or held pastes are being released. */
  hold(data: EarlyPaste): boolean {
    if (this.isReleasing || !this.editor.isEditable) return false;
    if (this.held.length === 0) this.released = this.load().then(this.release, this.release);
    this.held.push({ data, place: movedSelection(this.editor.state.selection) });
    return true;
  }

  /** Maps the positions of held pastes through a change of the text. */
  follow(mapping: Mapping): void {
    // Letters typed while a paste is held follow it, and so do later pastes.
    const side = this.isReleasing ? 1 : -1;
    for (const held of this.held) held.place = held.place.map(mapping, side);
    this.caret = this.caret?.map(mapping, 1) ?? null;
  }

  private readonly release = (): void => {
    this.isReleasing = true;
    try {
      for (let next = this.held.shift(); next !== undefined; next = this.held.shift())
        if (!this.editor.isDestroyed) this.pasteAt(next);
    } finally {
      this.isReleasing = false;
      this.released = null;
    }
  };

  /** Pastes at its position. The caret follows the paste, unless the person has moved the caret. */
  private pasteAt({ data, place }: HeldPaste): void {
    const { state, view } = this.editor;
    const at = place.in(state);
    this.caret = state.selection.eq(at) ? null : movedSelection(state.selection);
    view.dispatch(state.tr.setSelection(at));
    this.paste(data);
    const caret = this.caret?.in(this.editor.state);
    this.caret = null;
    if (caret !== undefined) view.dispatch(this.editor.state.tr.setSelection(caret));
  }
}
