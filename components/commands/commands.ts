import type { OfferedType } from "@/components/workspace-state/workspace-snapshot";
import type { Keys } from "@/components/ui/keyboard/keys";
import { commandKeys } from "./command-keys";
import type { KeyedCommand } from "./command-keys";

/**
 * A right that a command needs. Before a command is offered, the law (the transition table) decides
 * whether this reader has the right here and now.
 */
type Need =
  | { about: "workspace"; type: OfferedType }
  | { about: "new document"; type: OfferedType }
  /** Asks about the open document. */
  | { about: "document"; type: OfferedType };

export type Command = {
  name: string;
  /** Other words that find the command. */
  words?: string;
  /** The shortcuts, if another part of the page handles them. */
  keys?: readonly Keys[];
  /** The required right. Without `needs`, every reader of the page may use the command. */
  needs?: Need;
};

const writing = { about: "document", type: "document.edited" } as const;
const newDocument = { about: "new document", type: "document.created" } as const;

/**
 * All commands, in the palette's order. A page provides the handlers of the commands that it offers
 * (`useCommands`).
 */
export const commands = {
  newDocument: { name: "New document", words: "create add page", needs: newDocument },
  newInside: {
    name: "New document inside this one",
    words: "create page child",
    needs: newDocument,
  },
  share: {
    name: "Share…",
    words: "invite people link",
    needs: { about: "workspace", type: "invitation.created" },
  },
  history: { name: "Open history", words: "versions player replay past" },
  backToLive: { name: "Back to live", words: "close history present" },
  restore: { name: "Restore this moment", words: "revert", needs: writing },
  compare: { name: "Compare with another moment", words: "diff changes" },
  goTo: { name: "Go to a date or an edit…", words: "moment time" },
  versions: { name: "Name this version…", words: "bookmark save", needs: writing },
  find: { name: "Find in this document", words: "replace search", keys: ["Mod+F"] },
  outline: { name: "Outline and word count…", words: "headings contents statistics" },
  comments: { name: "Show or hide comments", words: "threads margin" },
  authors: { name: "Authors", words: "who wrote this colours attribution blame" },
  searchHistory: { name: "Search this document’s history…", words: "past words find" },
  changes: { name: "Summary of changes", words: "account catch up statistics" },
  copyLink: { name: "Copy link", words: "address url" },
  copyMarkdown: { name: "Copy as Markdown", words: "text clipboard" },
  icon: {
    name: "Change icon…",
    words: "emoji",
    needs: { about: "document", type: "document.icon_set" },
  },
  move: {
    name: "Move to…",
    words: "tree parent inside",
    needs: { about: "document", type: "document.moved" },
  },
  favourite: { name: "Add to favourites", words: "star favorite pin" },
  unfavourite: { name: "Remove from favourites", words: "unstar favorite unpin" },
  duplicate: { name: "Duplicate", words: "copy", needs: newDocument },
  fork: { name: "Fork this document…", words: "copy duplicate branch", needs: newDocument },
  verify: { name: "Verify history…", words: "proof chain check" },
  export: { name: "Download with its history…", words: "export save" },
  carets: { name: "Show or hide carets", words: "cursors" },
  ownCaret: { name: "Show or hide my caret", words: "cursor" },
  trash: {
    name: "Move to trash",
    words: "delete remove",
    needs: { about: "document", type: "document.trashed" },
  },
  import: { name: "Import…", words: "upload", needs: newDocument },
  invite: {
    name: "Invite people…",
    words: "share members",
    needs: { about: "workspace", type: "invitation.created" },
  },
  allDocuments: { name: "Go to all documents", words: "home list" },
  activity: { name: "Go to activity", words: "feed changes" },
  members: { name: "Go to members", words: "people roles" },
  openTrash: { name: "Go to trash", words: "bin recover" },
  createWorkspace: { name: "Create a workspace…", words: "new team" },
  sidebar: { name: "Show or hide the sidebar", words: "tree pages" },
  theme: { name: "Switch theme", words: "dark light mode" },
  account: { name: "Go to your account", words: "settings profile password" },
  signOut: { name: "Sign out", words: "log out leave" },
  shortcuts: { name: "Keyboard shortcuts", words: "keys help" },
  palette: { name: "Go to or do…", words: "command" },
} as const satisfies Readonly<Record<string, Command>> & Readonly<Record<KeyedCommand, Command>>;

export type CommandId = keyof typeof commands;

/** What the law allows on this page, by the subject of a command. */
export type Law = {
  workspace: (type: OfferedType) => boolean;
  newDocument: (type: OfferedType) => boolean;
  document: (type: OfferedType) => boolean;
};

const isCommand = (id: string): id is CommandId => id in commands;
const isKeyed = (id: CommandId): id is KeyedCommand => id in commandKeys;

/** The ids of all commands, in the palette's order. */
export const commandIds = Object.keys(commands).filter(isCommand);

/** Returns the shortcuts of a command, the displayed one first. */
export function keysOf(id: CommandId): readonly Keys[] {
  const { keys = [] }: Command = commands[id];
  return isKeyed(id) ? commandKeys[id] : keys;
}

/** Whether the law allows a command here and now. */
export function isAllowed(id: CommandId, law: Law): boolean {
  const { needs }: Command = commands[id];
  switch (needs?.about) {
    case undefined:
      return true;
    case "workspace":
      return law.workspace(needs.type);
    case "new document":
      return law.newDocument(needs.type);
    case "document":
      return law.document(needs.type);
  }
}
