import { Extension } from "@tiptap/core";
import type { CommandProps } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { StepMap } from "@tiptap/pm/transform";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import type { Transaction as SharedTransaction, XmlFragment } from "yjs";
import { docListener } from "./doc-listener";
import { sharedChange } from "./shared-change";
import { composedMap } from "./step-map-composition";
import { madeBy, typedStep } from "./undo-change";
import type { Made } from "./undo-change";
import { stepsOf, takeBack, withOthers, withOwn } from "./undo-history";
import type { Branch } from "./undo-history";
import { afterMove, nextStep } from "./undo-step";
import type { OpenStep } from "./undo-step";

declare module "@tiptap/core" {
  interface Commands<ReturnType> {
    ownUndo: {
      /** Undoes the person's last step. */
      undo: () => ReturnType;
      /** Redoes the step that was undone last. */
      redo: () => ReturnType;
    };
  }
}

/**
 * The undo and redo branches, and the step that is still open. They contain positions and do not
 * depend on Yjs.
 */
type OwnSteps = { done: Branch; undone: Branch; open: OpenStep };

type UndoAction = { kind: "undo" | "redo"; steps: OwnSteps };

const ownStepsKey = new PluginKey<OwnSteps>("ownUndo");

const nothing: OwnSteps = { done: null, undone: null, open: null };
const joining = "joinsStep";

/** Makes a transaction part of the previous undo step. */
export function joinsStep(transaction: Transaction): Transaction {
  return transaction.setMeta(joining, true);
}

function madeIn(transaction: Transaction): Made[] {
  return transaction.steps.flatMap((step, index) => {
    const doc = transaction.docs[index];
    return doc ? [madeBy(step, doc)] : [];
  });
}

type Conversion = { from: number; to: number; text: string };

/**
 * Returns the text that an input rule replaced, such as `**`, or null if the transaction is not
 * such a conversion.
 */
function conversionIn(transaction: Transaction, { plugins }: EditorState): Conversion | null {
  for (const plugin of plugins) {
    if (!("isInputRules" in plugin.spec)) continue;
    const stored: Conversion | undefined = transaction.getMeta(plugin);
    if (stored) return stored;
  }
  return null;
}

/**
 * Makes a conversion by an input rule a separate step. The converted text counts as typed before
 * this step, including the last letter, which the text never had, so that undo restores exactly
 * this text.
 */
function withConversion(
  steps: OwnSteps,
  { from, to, text }: Conversion,
  transaction: Transaction,
  before: EditorState,
): OwnSteps {
  const selection = before.selection.getBookmark();
  if (text === "" || text.includes("\n"))
    return { done: withOwn(steps.done, madeIn(transaction), selection), undone: null, open: null };
  const marks = before.storedMarks ?? before.doc.resolve(from).marks();
  const typing = before.tr.step(typedStep(from, to, before.schema.text(text, marks)));
  const { joins } = nextStep(steps.open, typing, before);
  const typed = typing.docs.concat(typing.doc);
  const [step] = typing.steps;
  const [was, is] = typed;
  if (!step || !was || !is) return steps;
  const done = withOwn(steps.done, [madeBy(step, was)], joins ? null : selection);
  // The step's own selection is the place where the letter was typed.
  return {
    done: withOwn(
      done,
      [madeBy(step.invert(was), is), ...madeIn(transaction)],
      typing.selection.getBookmark(),
    ),
    undone: null,
    open: null,
  };
}

function withTransaction(
  steps: OwnSteps,
  transaction: Transaction,
  before: EditorState,
  after: EditorState,
  othersOf: () => StepMap,
): OwnSteps {
  const action: UndoAction | undefined = transaction.getMeta(ownStepsKey);
  if (action) return action.steps;
  if (!transaction.docChanged)
    return transaction.selectionSet ? { ...steps, open: afterMove(steps.open, after) } : steps;
  const root: Transaction = transaction.getMeta("appendedTransaction") ?? transaction;
  if (root.getMeta("addToHistory") === false || transaction.getMeta("addToHistory") === false) {
    if (steps.done === null && steps.undone === null && steps.open === null) return steps;
    const map = othersOf();
    const open =
      steps.open === null || steps.open.kind === "composing"
        ? steps.open
        : { ...steps.open, at: map.map(steps.open.at, -1) };
    return { done: withOthers(steps.done, map), undone: withOthers(steps.undone, map), open };
  }
  const made = madeIn(transaction);
  const rooted: UndoAction | undefined = root.getMeta(ownStepsKey);
  // A transaction that a plugin appends to an undo belongs to the undo.
  if (rooted?.kind === "undo")
    return { ...steps, undone: withOwn(steps.undone, made, null), open: null };
  if (root !== transaction || transaction.getMeta(joining) === true)
    return { done: withOwn(steps.done, made, null), undone: null, open: null };
  const conversion = conversionIn(transaction, before);
  if (conversion) return withConversion(steps, conversion, transaction, before);
  const { joins, open } = nextStep(steps.open, transaction, before);
  return {
    done: withOwn(
      steps.done,
      made,
      joins && stepsOf(steps.done) > 0 ? null : before.selection.getBookmark(),
    ),
    undone: null,
    open,
  };
}

/** Undoes or redoes a step in this transaction. Returns false if no step has a change left. */
export function takeStepBack(
  kind: UndoAction["kind"],
  transaction: Transaction,
  before: EditorState,
): boolean {
  const steps = ownStepsKey.getState(before) ?? nothing;
  const reverted = takeBack(kind === "undo" ? steps.done : steps.undone, transaction);
  if (reverted === null) return false;
  const other = withOwn(
    kind === "undo" ? steps.undone : steps.done,
    reverted.made,
    before.selection.getBookmark(),
  );
  const next =
    kind === "undo"
      ? { done: reverted.left, undone: other }
      : { done: other, undone: reverted.left };
  if (reverted.selection) transaction.setSelection(reverted.selection.resolve(transaction.doc));
  transaction
    .setMeta(ownStepsKey, { kind, steps: { ...next, open: null } } satisfies UndoAction)
    .scrollIntoView();
  return true;
}

/**
 * Returns the map of a change that is not the person's own: its steps, or a comparison if the
 * binding replaced the whole text.
 */
function othersIn(
  transaction: Transaction,
  before: EditorState,
  shared: SharedTransaction | null,
): StepMap {
  if (transaction.getMeta(ySyncPluginKey) === undefined)
    return transaction.mapping.maps.reduce(composedMap, StepMap.empty);
  const fragment: XmlFragment | undefined = ySyncPluginKey.getState(before)?.type;
  const known = fragment && shared?.doc === fragment.doc ? { fragment, transaction: shared } : null;
  return sharedChange(before.doc, transaction.doc, known);
}

/**
 * Records the undo steps of the person in this editor. Changes from the binding are remote and
 * cannot be undone.
 */
export function ownUndoPlugin(): Plugin<OwnSteps> {
  // The transaction that the shared text is currently reporting.
  let shared: SharedTransaction | null = null;
  return new Plugin<OwnSteps>({
    key: ownStepsKey,
    state: {
      init: () => nothing,
      apply: (transaction, steps, before, after) =>
        withTransaction(steps, transaction, before, after, () =>
          othersIn(transaction, before, shared),
        ),
    },
    view(view) {
      return docListener(view, (doc) => {
        const begin = (transaction: SharedTransaction) => (shared = transaction);
        const end = () => (shared = null);
        doc.on("beforeObserverCalls", begin);
        doc.on("afterTransaction", end);
        return () => {
          doc.off("beforeObserverCalls", begin);
          doc.off("afterTransaction", end);
        };
      });
    },
  });
}

/** Routes the browser's undo and redo, from a menu or gesture, to the text's own commands. */
function fromBrowser(actions: Record<string, () => boolean>): Plugin {
  return new Plugin({
    props: {
      handleDOMEvents: {
        beforeinput: (_view, event) => {
          const action = actions[event.inputType];
          if (!action) return false;
          event.preventDefault();
          action();
          return true;
        },
      },
    },
  });
}

/**
 * Undo and redo of the person's own changes, by words and conversions, while other people write at
 * the same time.
 */
export const OwnUndo = Extension.create({
  name: "ownUndo",
  // Runs before the keys of the blocks, and before transactions that other plugins append.
  priority: 1_000,
  addCommands() {
    const command =
      (kind: UndoAction["kind"]) =>
      () =>
      ({ tr, state, dispatch, editor }: CommandProps) => {
        if (!editor.isEditable) return false;
        if (dispatch) return takeStepBack(kind, tr, state);
        const { done, undone } = ownStepsKey.getState(state) ?? nothing;
        return stepsOf(kind === "undo" ? done : undone) > 0;
      };
    return { undo: command("undo"), redo: command("redo") };
  },
  addKeyboardShortcuts() {
    const { editor } = this;
    // Handled even without a step to undo, because the browser's own undo does not know the text.
    const undo = () => editor.commands.undo() || true;
    const redo = () => editor.commands.redo() || true;
    return { "Mod-z": undo, "Mod-y": redo, "Mod-Shift-z": redo };
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      ownUndoPlugin(),
      fromBrowser({
        historyUndo: () => editor.commands.undo(),
        historyRedo: () => editor.commands.redo(),
      }),
    ];
  },
});
