import { type EditorState, PluginKey } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import type { LinkOption } from "./link-options";
import type { LinkQuery } from "./link-query";

/** The open list: what was typed for it, what it offers, and which option is chosen. */
export type LinkMenuState = LinkQuery & { options: LinkOption[]; chosen: number };
/** Beside it, the place where a list was shut, which stays shut. */
export type MenuPart = { open: LinkMenuState | null; dismissed: number | null };
/** What is done with the list beside writing; `begun`: what was typed before its code had come is looked at. */
export type MenuChange = { dismissed: true } | { chosen: number } | { begun: true };

export const linkMenuKey = new PluginKey<MenuPart>("documentLinks");

/** The open list of documents, or null. */
export function linkMenuState(state: EditorState): LinkMenuState | null {
  return linkMenuKey.getState(state)?.open ?? null;
}

/** Shuts the open list, or chooses another of its options without taking it. */
export function changeLinkMenu(view: EditorView, change: MenuChange): void {
  view.dispatch(view.state.tr.setMeta(linkMenuKey, change));
}
