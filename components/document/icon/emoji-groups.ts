import groups from "unicode-emoji-json/data-by-group.json";

export type Emoji = { emoji: string; name: string };
export type EmojiGroup = { name: string; emoji: readonly Emoji[] };

/** The newest emoji version on offer. The fonts of many devices lack later emoji. */
const newest = 15.1;

/** All emoji on offer, in Unicode's groups and order. */
export const emojiGroups: readonly EmojiGroup[] = groups.map((group) => ({
  name: group.name.replace("&", "and"),
  emoji: group.emojis
    .filter(({ emoji_version: version }) => Number(version) <= newest)
    .map(({ emoji, name }) => ({ emoji, name })),
}));

const wordsIn = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
const words = new Map(
  emojiGroups.flatMap((group) => group.emoji.map((each) => [each, wordsIn(each.name)] as const)),
);

/** Returns the emoji whose names match the query: each query word begins a word of the name. */
export function searchEmoji(query: string): readonly EmojiGroup[] {
  const queryWords = wordsIn(query);
  if (queryWords.length === 0) return emojiGroups;
  const fits = (each: Emoji) =>
    queryWords.every((begin) => words.get(each)?.some((word) => word.startsWith(begin)));
  return emojiGroups
    .map(({ name, emoji }) => ({ name, emoji: emoji.filter(fits) }))
    .filter(({ emoji }) => emoji.length > 0);
}
