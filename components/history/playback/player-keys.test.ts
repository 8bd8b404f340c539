import { describe, expect, it } from "vitest";
import { playerShortcuts } from "@/components/commands/player-shortcuts";
import { commandOf, speedBy } from "./player-keys";

const shortcuts = Object.values(playerShortcuts);

const plain = {
  code: "",
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
  altGraph: false,
};
const paused = { playing: false, last: 1000, speed: 4 } as const;

describe("keys of the player", () => {
  it("[HISTORY-8] work as in video players", () => {
    const asked = [
      " ",
      "k",
      "j",
      "l",
      ",",
      ".",
      "Home",
      "End",
      "<",
      ">",
      "A",
      "Escape",
      "[",
      "]",
      "g",
      "c",
      "i",
      "o",
      "f",
      "?",
    ].map((key) => commandOf({ ...plain, key }, paused));
    expect(asked).toEqual([
      { type: "toggle" },
      { type: "toggle" },
      { type: "skip", ms: -10_000 },
      { type: "skip", ms: 10_000 },
      { type: "step", by: -1 },
      { type: "step", by: 1 },
      { type: "seek", index: 0 },
      { type: "seek", index: 1000 },
      { type: "speed", speed: 2 },
      { type: "speed", speed: 8 },
      { type: "colours" },
      { type: "leave" },
      { type: "stop", by: -1 },
      { type: "stop", by: 1 },
      { type: "go.to" },
      { type: "copy.link" },
      { type: "range.start" },
      { type: "range.end" },
      { type: "full.screen" },
      { type: "help" },
    ]);
  });

  it("[HISTORY-8] step through the changes of a comparison", () => {
    const listed = new Map(shortcuts.map(({ shown, does }) => [shown.join(), does]));
    expect(["n", "P"].map((key) => commandOf({ ...plain, key }, paused))).toEqual([
      { type: "change", by: 1 },
      { type: "change", by: -1 },
    ]);
    expect([listed.get("N"), listed.get("P")]).toEqual([
      "Next change, while comparing",
      "Previous change, while comparing",
    ]);
  });

  it("[HISTORY-8] let arrows skip while playing, step by group while paused, and change session with Shift", () => {
    const left = { ...plain, key: "ArrowLeft" };
    expect(commandOf(left, { ...paused, playing: true })).toEqual({ type: "skip", ms: -5000 });
    expect(commandOf(left, paused)).toEqual({ type: "group", by: -1 });
    expect(commandOf({ ...left, shiftKey: true }, paused)).toEqual({ type: "stop", by: -1 });
  });

  it("[HISTORY-8] jump by tenths with the digit keys in any layout", () => {
    const asked = [
      { key: "3", code: "Digit3" },
      { key: '"', code: "Digit3" },
      { key: "3", code: "Numpad3" },
    ].map((key) => commandOf({ ...plain, ...key }, paused));
    expect(asked).toEqual(asked.map(() => ({ type: "seek", index: 300 })));
  });

  it("[HISTORY-8] leave browser keys alone, and accept characters of AltGr", () => {
    expect(commandOf({ ...plain, key: "l", ctrlKey: true }, paused)).toBeNull();
    expect(commandOf({ ...plain, key: "k", isComposing: true }, paused)).toBeNull();
    expect(commandOf({ ...plain, key: "Tab" }, paused)).toBeNull();
    expect(
      commandOf({ ...plain, key: "[", ctrlKey: true, altKey: true, altGraph: true }, paused),
    ).toEqual({ type: "stop", by: -1 });
    expect([speedBy(32, 1), speedBy(0.25, -1), speedBy(1, -1)]).toEqual([32, 0.25, 0.5]);
  });

  it("[HISTORY-8] are each listed once, with what they do", () => {
    const keys = shortcuts.flatMap(({ keys: own }): string[] => [...own]);
    expect(new Set(keys).size).toBe(keys.length);
    for (const { shown, does } of shortcuts)
      expect(shown.join().length * does.length).toBeGreaterThan(0);
  });
});
