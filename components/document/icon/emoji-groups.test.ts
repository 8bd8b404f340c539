import { describe, expect, it } from "vitest";
import { oneEmoji } from "@/events/core/text/emoji";
import { emojiGroups, searchEmoji } from "./emoji-groups";

const found = (query: string) =>
  searchEmoji(query).flatMap(({ emoji }) => emoji.map((each) => each.emoji));

describe("the emoji to choose from", () => {
  it("[ICON-4] are each in a group, with a name and an icon that the log accepts", () => {
    const all = emojiGroups.flatMap(({ emoji }) => emoji);
    expect(emojiGroups.map(({ name }) => name)).toContain("Animals and Nature");
    expect(all.length).toBeGreaterThan(1800);
    expect(all.filter(({ emoji, name }) => !oneEmoji.test(emoji) || name === "")).toEqual([]);
    expect(new Set(all.map(({ emoji }) => emoji)).size).toBe(all.length);
  });

  it("[ICON-4] are found by prefixes of their name’s words, in any order and case", () => {
    expect(found("wave")).toContain("🌊");
    expect(found("WAV wat")).toEqual(["🌊"]);
    expect(found("germany")).toEqual(["🇩🇪"]);
    expect(found("ater wave")).toEqual([]);
    expect(found("cat")).not.toContain("🎓");
    expect(found("  ").length).toBeGreaterThan(1800);
    expect(found("!?")).toEqual(found(""));
    expect(searchEmoji("nothing is called that")).toEqual([]);
  });
});
