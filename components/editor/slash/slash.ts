import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import type { SlashCommand } from "./slash-commands";

/** The open block menu: the range of slash and query, its options, and the chosen option. */
export type SlashState = {
  from: number;
  to: number;
  query: string;
  options: SlashCommand[];
  chosen: number;
};

type SlashPluginState = { open: SlashState | null; dismissed: number | null };
type Meta = { chosen: number } | { dismissed: true } | { fetched: true };
type Matching = (query: string) => SlashCommand[];

const key = new PluginKey<SlashPluginState>("slash");
const closed: SlashPluginState = { open: null, dismissed: null };

/** The ids of the listbox and its options, for the editor's ARIA attributes. */
export const slashListId = "slash-list";
export function slashOptionId(command: SlashCommand): string {
  return `slash-${command.id}`;
}

/** Returns the open menu, or null. */
export function slashState(state: EditorState): SlashState | null {
  return key.getState(state)?.open ?? null;
}

function typedSlash(state: EditorState): { from: number; to: number; query: string } | null {
  const { selection } = state;
  const { $from } = selection;
  if (!selection.empty || !$from.parent.isTextblock || $from.parent.type.spec.code === true)
    return null;
  if ($from.marks().some((mark) => mark.type.name === "code")) return null;
  const before = $from.parent.textBetween(
    Math.max(0, $from.parentOffset - 40),
    $from.parentOffset,
    undefined,
    "￼",
  );
  const query = /(?:^|\s)\/([\p{L}\p{N}]?[\p{L}\p{N} ]{0,24})$/u.exec(before)?.[1];
  if (query === undefined) return null;
  return { from: $from.pos - query.length - 1, to: $from.pos, query };
}

function next(
  transaction: Transaction,
  previous: SlashPluginState,
  state: EditorState,
  matching: Matching | null,
): SlashPluginState {
  const meta: Meta | undefined = transaction.getMeta(key);
  if (meta !== undefined && "dismissed" in meta)
    return { open: null, dismissed: previous.open?.from ?? null };
  if (meta !== undefined && "chosen" in meta)
    return previous.open === null
      ? previous
      : { ...previous, open: { ...previous.open, chosen: meta.chosen } };
  const remote = ySyncPluginKey.getState(state)?.isChangeOrigin === true;
  const wasOpen = previous.open === null ? null : transaction.mapping.map(previous.open.from);
  const dismissed =
    previous.dismissed === null ? null : transaction.mapping.map(previous.dismissed);
  const typed = typedSlash(state);
  if (typed === null || matching === null) return closed;
  if (typed.from === dismissed) return { open: null, dismissed };
  // A caret moved behind a slash, or a remote slash, does not open the menu.
  const mayOpen =
    meta !== undefined ||
    (transaction.docChanged && !remote && (typed.query === "" || wasOpen === typed.from));
  if (wasOpen !== typed.from && !mayOpen) return closed;
  const options = matching(typed.query);
  if (options.length === 0)
    return { open: null, dismissed: typed.query.length > 1 ? typed.from : null };
  const chosenId = previous.open?.options[previous.open.chosen]?.id;
  const unchanged =
    previous.open?.query === typed.query
      ? options.findIndex((option) => option.id === chosenId)
      : 0;
  return { open: { ...typed, options, chosen: Math.max(0, unchanged) }, dismissed: null };
}

/** Replaces the slash and its query with the chosen block. */
export function runSlash(editor: Editor, command: SlashCommand): void {
  const open = slashState(editor.state);
  if (open === null) return;
  editor.view.dispatch(editor.state.tr.delete(open.from, open.to));
  command.run(editor);
}

function handleKey(editor: Editor, open: SlashState, event: KeyboardEvent): boolean {
  const { options, chosen } = open;
  const choose = (to: number) => {
    editor.view.dispatch(
      editor.state.tr.setMeta(key, {
        chosen: (to + options.length) % options.length,
      } satisfies Meta),
    );
    return true;
  };
  switch (event.key) {
    case "ArrowDown":
      return choose(chosen + 1);
    case "ArrowUp":
      return choose(chosen - 1);
    case "Home":
    case "End":
      return false;
    case "Escape":
      editor.view.dispatch(editor.state.tr.setMeta(key, { dismissed: true } satisfies Meta));
      return true;
    case "Enter":
    case "Tab": {
      const command = options[chosen];
      if (command === undefined || event.shiftKey) return false;
      runSlash(editor, command);
      return true;
    }
    default:
      return false;
  }
}

function attributes(open: SlashState | null): Record<string, string> {
  const chosen = open?.options[open.chosen];
  if (chosen === undefined) return {};
  return {
    "aria-haspopup": "listbox",
    "aria-controls": slashListId,
    "aria-activedescendant": slashOptionId(chosen),
  };
}

/**
 * The block menu behind a typed slash. Focus stays in the text, and slash-menu.tsx renders the
 * list.
 */
export const Slash = Extension.create({
  name: "slash",
  priority: 1200,
  addProseMirrorPlugins() {
    const { editor } = this;
    let matching: Matching | null = null;
    return [
      new Plugin<SlashPluginState>({
        key,
        // The list loads once the text can be edited. A slash may have been typed before.
        view(view) {
          void afterCritical()
            .then(() => importWithRetry(() => import("./slash-commands")))
            .then(({ matchingCommands }) => {
              matching = matchingCommands;
              if (!view.isDestroyed && view.hasFocus() && !view.composing)
                view.dispatch(view.state.tr.setMeta(key, { fetched: true } satisfies Meta));
            });
          return {};
        },
        state: {
          init: () => closed,
          apply: (transaction, previous, _before, state) =>
            editor.isEditable ? next(transaction, previous, state, matching) : closed,
        },
        props: {
          attributes: (state) => attributes(slashState(state)),
          handleKeyDown: (view, event) => {
            const open = slashState(view.state);
            return (
              open !== null &&
              !event.isComposing &&
              !view.composing &&
              handleKey(editor, open, event)
            );
          },
        },
      }),
    ];
  },
});
