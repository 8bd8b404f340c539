import { PluginKey } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { LinkOption } from "./link-options";
import type { LinkQuery } from "./link-query";

/** The open list: its query, its options, and the chosen option. */
export type LinkMenuState = LinkQuery & { options: LinkOption[]; chosen: number };
/** The open list, and the position of a dismissed list, which stays closed. */
export type MenuPart = { open: LinkMenuState | null; dismissed: number | null };
/** The commands of the list. `begun` evaluates text that was typed before the code had loaded. */
export type MenuChange = { dismissed: true } | { chosen: number } | { begun: true };

export const linkMenuKey = new PluginKey<MenuPart>("documentLinks");

/** Returns the open list of documents, or null. */
export function linkMenuState(state: EditorState): LinkMenuState | null {
  return linkMenuKey.getState(state)?.open ?? null;
}

/** Closes the open list, or chooses another option without inserting it. */
export function changeLinkMenu(view: EditorView, change: MenuChange): void {
  view.dispatch(view.state.tr.setMeta(linkMenuKey, change));
}
