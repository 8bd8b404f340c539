import { emptyOrVisible } from "./visible-text";

/** As long as the name of a file is at most, its ending included. */
const longestName = 200;
const longestEnding = 16;

/** What nobody sees in a name, and what would turn the order of its signs. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * The name of a file as it is kept, whatever somebody called it: without folders, without signs that
 * are not seen, and of a length that every system takes, with its ending.
 */
export function fileName(given: string): string {
  const last = given.split(/[\\/]/).findLast((part) => part.replace(unseen, "").trim() !== "");
  const name = (last ?? "").replace(unseen, "").replace(/\s+/g, " ").trim();
  if (/^\.*$/.test(name) || !emptyOrVisible.test(name)) return "File";
  const letters = [...name];
  if (letters.length <= longestName) return name;
  const dot = letters.lastIndexOf(".");
  const ending = dot > 0 && letters.length - dot <= longestEnding ? letters.slice(dot) : [];
  return [...letters.slice(0, longestName - ending.length), ...ending].join("");
}
