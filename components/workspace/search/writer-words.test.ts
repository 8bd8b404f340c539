import { expect, it } from "vitest";
import { writerWords } from "./writer-words";

const words = (...authors: string[]) =>
  writerWords(authors, { me: "Ana", nameOf: (userId) => userId }).replace(/[\u2068\u2069]/g, "");

it("[SEARCH-18] names the reader first, and counts the rest of many", () => {
  expect(words("Ana")).toBe("You");
  expect(words("Ben", "Ana")).toBe("You and Ben");
  expect(words("Carol", "Ben", "Ana")).toBe("You, Carol and Ben");
  expect(words("Carol", "Ben", "Dan", "Ana")).toBe("You, Carol and 2 others");
});
