import { emptyOrVisible } from "./visible-text";

/** The most characters of a file name, extension included. */
const longestName = 200;
const longestEnding = 16;

/** Invisible characters, and those that change the reading direction. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;

/**
 * Sanitizes a file name: removes folders and invisible characters, and shortens the name to a
 * length that every system accepts. Keeps the extension.
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
