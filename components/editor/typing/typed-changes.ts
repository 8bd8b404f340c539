import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { ForeignBlocks } from "./foreign-blocks";

/**
 * The time in ms within which a change follows its event. Browsers also change the text after a
 * composition.
 */
const tail = 50;

/** The untyped part of ProseMirror's DOM observer that is used here. */
type ChangeObserver = {
  flush: () => void;
  registerMutation: (mutation: MutationRecord, added: Node[]) => object | null;
  handleDOMChange: (from: number, to: number, typeOver: boolean, added: Node[]) => void;
};

function isObserver(value: unknown): value is ChangeObserver {
  return (
    typeof value === "object" &&
    value !== null &&
    "flush" in value &&
    typeof value.flush === "function" &&
    "registerMutation" in value &&
    typeof value.registerMutation === "function" &&
    "handleDOMChange" in value &&
    typeof value.handleDOMChange === "function"
  );
}

/** Whether a mutation is in a block without the selection, where no composition can be. */
function isElsewhere(view: EditorView, { target }: MutationRecord): boolean {
  const focus = view.dom.ownerDocument.getSelection()?.focusNode ?? null;
  if (focus === null || target.contains(focus)) return false;
  const { $from, $to } = view.state.selection;
  const position = view.posAtDOM(target, 0, -1);
  return position < $from.start() || position > $to.end();
}

/** Distinguishes the person's input from DOM changes by scripts. */
class Acts {
  private typed = false;
  private announced = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  isComposing = false;

  /** Whether a DOM change at this moment is the person's. */
  get isOwn(): boolean {
    return this.typed || this.isComposing;
  }

  /** Marks the next DOM change as the person's. Each way of input fires an event (see `listen`). */
  happen(): void {
    this.typed = true;
    if (!this.isComposing) this.end();
  }

  announce(): void {
    this.announced = true;
    this.happen();
  }

  /**
   * A change by `execCommand` fires no beforeinput event. An announced change has already been
   * read.
   */
  input(): void {
    if (!this.announced) this.happen();
    this.announced = false;
  }

  /** Called when the change has been read. The next change has its own event. */
  read(): void {
    this.typed = false;
  }

  compose(): void {
    clearTimeout(this.timer);
    this.isComposing = true;
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.typed = false;
      this.announced = false;
      this.isComposing = false;
    }, tail);
  }
}

/**
 * Reads only the person's own DOM changes. Page translators and grammar checkers also rewrite
 * nodes, which ProseMirror would take for typing, so that the log would record them.
 */
function readTypedOnly(view: EditorView, acts: Acts, foreign: ForeignBlocks): () => void {
  const observer: unknown = Reflect.get(view, "domObserver");
  if (!isObserver(observer)) return () => {};
  const { registerMutation, handleDOMChange } = observer;
  const register = registerMutation.bind(observer);
  const read = handleDOMChange.bind(observer);
  observer.registerMutation = (mutation, added) => {
    if (acts.isOwn && !(acts.isComposing && isElsewhere(view, mutation)))
      return register(mutation, added);
    if (register(mutation, []) !== null) foreign.add(mutation.target);
    return null;
  };
  observer.handleDOMChange = (from, to, typeOver, added) => {
    if (from > -1) acts.read();
    read(from, to, typeOver, added);
  };
  // A later plugin recreates all plugin views, so this one must restore the observer.
  return () => Object.assign(observer, { registerMutation, handleDOMChange });
}

/**
 * Types or deletes a letter in the document directly while a script changes the page. Returns
 * whether the event was handled.
 */
function writeInText(view: EditorView, event: InputEvent): boolean {
  const { inputType, data } = event;
  if (event.isComposing || !event.cancelable) return false;
  const { from, to, empty, $from } = view.state.selection;
  if (inputType === "insertText" && data !== null) {
    const plain = () => view.state.tr.insertText(data, from, to);
    const isHandled = view.someProp("handleTextInput", (handle) =>
      handle(view, from, to, data, plain),
    );
    if (isHandled !== true) view.dispatch(plain());
  } else if (inputType === "deleteContentBackward") {
    const before = $from.parent.textBetween(0, $from.parentOffset, undefined, "￼");
    const last = [...new Intl.Segmenter().segment(before)].at(-1)?.segment.length ?? 0;
    view.dispatch(view.state.tr.delete(empty ? from - last : from, to));
  } else return false;
  event.preventDefault();
  return true;
}

/**
 * Reads the selection that the page shows. A browser reports a moved caret in a later task, and on
 * a busy page the next key precedes this task. Enter would then replace words that are no longer
 * selected.
 */
function readSelection(view: EditorView): void {
  const observer: unknown = Reflect.get(view, "domObserver");
  if (!view.composing && isObserver(observer)) observer.flush();
}

/** Keeps DOM changes by foreign scripts out of the text. */
export const TypedChanges = Extension.create({
  name: "typedChanges",
  addProseMirrorPlugins() {
    return [
      new Plugin({
        view: (view) => {
          const acts = new Acts();
          const foreign = new ForeignBlocks(view);
          const stop = listen(view, acts, foreign);
          const readAll = readTypedOnly(view, acts, foreign);
          return {
            destroy() {
              stop();
              readAll();
            },
          };
        },
      }),
    ];
  },
});

/** Listens before all plugins, because an event that another plugin handles is also input. */
function listen(view: EditorView, acts: Acts, foreign: ForeignBlocks): () => void {
  const happen = () => acts.happen();
  const listeners: Record<string, (event: Event) => void> = {
    keydown: () => {
      foreign.draw();
      readSelection(view);
    },
    beforeinput: (event) => {
      // A script may change the redrawn block at once, and this change would be read with the
      // letter.
      const isDisturbed = foreign.draw() || foreign.isContested;
      if (isDisturbed && event instanceof InputEvent && writeInText(view, event)) return;
      if (foreign.isContested && event.cancelable) event.preventDefault();
      else acts.announce();
    },
    input: () => acts.input(),
    drop: happen,
    cut: () => {
      readSelection(view);
      acts.happen();
    },
    paste: () => {
      readSelection(view);
      acts.happen();
    },
    compositionstart: () => {
      foreign.draw();
      acts.compose();
    },
    compositionupdate: () => acts.compose(),
    compositionend: () => acts.end(),
  };
  for (const [type, listener] of Object.entries(listeners))
    view.dom.addEventListener(type, listener, true);
  return () => {
    acts.stop();
    foreign.stop();
    for (const [type, listener] of Object.entries(listeners))
      view.dom.removeEventListener(type, listener, true);
  };
}
