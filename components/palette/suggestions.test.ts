import { describe, expect, it } from "vitest";
import { commandIds, commands, keysOf } from "@/components/commands/commands";
import type { CommandId } from "@/components/commands/commands";
import { sections, textShortcuts } from "@/components/commands/shortcuts";
import { documentRow } from "@/components/workspace-state/document-row.fixture";
import type { OfferedType } from "@/components/workspace-state/workspace-snapshot";
import { mayEmit } from "@/machines/catalog";
import type { Role } from "@/machines/member";
import { offeredCommands, placeOf, suggestionsFor } from "./suggestions";
import type { Sources } from "./suggestions";

const titled = (id: string, title: string) => ({ ...documentRow(id), title });
const documents = [
  titled("1", "When the library is open, from January"),
  titled("2", "Opening and closing up"),
  titled("3", "Open day, 6 June"),
  titled("4", "Café für Ähren"),
  titled("5", "会议记录"),
  titled("6", "Budget 2027"),
];
const member = (userId: string, name: string) => ({
  userId,
  name,
  color: 1,
  email: `${userId}@example.com`,
  role: "editor" as const,
  joinedAt: "",
});

/** Returns the law's answers for a role on a live document of an active workspace. */
function lawFor(role: Role | null) {
  const asks = (phase: string) => (type: OfferedType) =>
    mayEmit(type, { phase, role, isSelf: true, isAuthor: false });
  return { workspace: asks("absent"), newDocument: asks("absent"), document: asks("live") };
}

const sources: Sources = {
  documents,
  recent: ["3", "gone", "6"],
  here: "6",
  members: [member("ana", "Ana Marić"), member("ben", "Ben Okafor")],
  me: "ana",
  law: lawFor("owner"),
  offers: () => true,
};
const titles = (found: readonly { item: { title: string } }[]) =>
  found.map(({ item }) => item.title);

describe("the palette", () => {
  it("[PALETTE-2] begins with recent documents, except open and deleted ones, and commands", () => {
    const found = suggestionsFor("", sources);
    expect(titles(found.recent)).toEqual(["Open day, 6 June"]);
    expect(found.documents).toEqual([]);
    expect(found.people).toEqual([]);
    expect(found.search).toBeNull();
    expect(found.commands.length).toBe(7);
    expect(found.commands[0]?.item).toBe("newDocument");
  });

  it("[PALETTE-3] finds titles by letters in order, the best match first, each once", () => {
    const found = suggestionsFor("op", sources);
    expect(titles(found.recent)).toEqual(["Open day, 6 June"]);
    expect(titles(found.documents)).toEqual([
      "Opening and closing up",
      "When the library is open, from January",
    ]);
    expect(found.search).toBe("op");
  });

  it.each([
    ["cafe ahren", "Café für Ähren"],
    ["会议", "会议记录"],
    ["bdgt", "Budget 2027"],
    ["2027 bud", "Budget 2027"],
  ])("[PALETTE-3] finds by %s", (typed, title) => {
    const found = suggestionsFor(typed, { ...sources, recent: [] });
    expect(titles(found.documents)[0]).toBe(title);
  });

  it("[PALETTE-3] marks the matched letters", () => {
    const [first] = suggestionsFor("open", { ...sources, recent: [] }).documents;
    expect(first?.pieces).toEqual([
      { text: "Open", found: true },
      { text: " day, 6 June", found: false },
    ]);
  });

  it("[PALETTE-3] takes any input as words, and shows at most seven rows of a group", () => {
    const many = Array.from({ length: 50 }, (_, nth) => titled(`${nth}`, `Minutes ${nth}`));
    expect(suggestionsFor("minutes", { ...sources, documents: many }).documents).toHaveLength(7);
    for (const typed of ["%", ".*", "(", "\\", "\0", "a".repeat(10_000), "  "])
      expect(suggestionsFor(typed, sources).documents.length).toBeLessThanOrEqual(7);
  });

  it("[PALETTE-4] finds other people by name and address, and leads to where they are", () => {
    const names = (typed: string) =>
      suggestionsFor(typed, sources).people.map(({ item }) => item.name);
    expect(names("oka")).toEqual(["Ben Okafor"]);
    expect(names("ben@example")).toEqual(["Ben Okafor"]);
    expect(names("ana")).toEqual([]);
    expect(placeOf("ben", "w", [{ userId: "ben", document: "3" }]).path).toBe("/d/3");
    expect(placeOf("ben", "w", []).path).toBe("/w/w/members#member-ben");
  });

  it("[PALETTE-5] offers exactly the commands that the law allows here", () => {
    const offered = (role: Role | null) =>
      offeredCommands({ law: lawFor(role), offers: () => true });
    const free = commandIds.filter((id) => id !== "palette" && !("needs" in commands[id]));
    const writing: CommandId[] = [
      "newDocument",
      "newInside",
      "duplicate",
      "restore",
      "versions",
      "icon",
      "fork",
      "import",
    ];
    const owning: CommandId[] = ["share", "invite"];
    const also = (...more: CommandId[]) => [...free, ...more].sort();
    expect(offered("owner").sort()).toEqual(also(...writing, ...owning, "move", "trash"));
    expect(offered("editor").sort()).toEqual(also(...writing, "move", "trash"));
    expect(offered("commenter").sort()).toEqual(also());
    expect(offered("viewer").sort()).toEqual(also());
    expect(offered(null).sort()).toEqual(also());
  });

  it("[PALETTE-5] offers no command that the page cannot perform", () => {
    const offers = (id: CommandId) => id === "history" || id === "trash";
    expect(offeredCommands({ law: lawFor("viewer"), offers })).toEqual(["history"]);
  });

  it("[PALETTE-5] finds commands by their synonyms", () => {
    const first = (typed: string) => suggestionsFor(typed, sources).commands[0]?.item;
    expect(first("dark mode")).toBe("theme");
    expect(first("delete")).toBe("trash");
    expect(first("log out")).toBe("signOut");
    expect(first("move")).toBe("move");
    expect(first("star")).toBe("favourite");
  });
});

describe("the list of keys", () => {
  const listed = sections.flatMap(({ shortcuts }) => shortcuts);

  it("[KEYS-1] has every key of every command, under the command’s name", () => {
    for (const id of commandIds)
      if (keysOf(id).length > 0)
        expect(listed).toContainEqual({ keys: keysOf(id), does: commands[id].name });
  });

  it("[KEYS-1] gives each key of a section one meaning", () => {
    for (const { shortcuts } of sections) {
      const keys = shortcuts.flatMap(({ keys: own }) => own);
      expect(new Set(keys).size).toBe(keys.length);
      expect(new Set(shortcuts.map(({ does }) => does)).size).toBe(shortcuts.length);
    }
    expect(Object.keys(textShortcuts).length).toBeGreaterThan(20);
  });
});
