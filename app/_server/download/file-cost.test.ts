import { expect, it } from "vitest";
import { isSmallFile } from "./file-cost";

const paragraph = (letters: number) => ({
  name: "paragraph",
  attributes: {},
  children: [{ text: "a".repeat(letters), marks: {} }],
});
const tree = (letters: number) => [paragraph(letters)];

it("[FORMAT-8] whether a file is small depends on its format, letters, blocks and pictures", () => {
  expect(isSmallFile("pdf", { tree: tree(20) }, 0)).toBe(true);
  expect(isSmallFile("pdf", { tree: tree(100_000) }, 0)).toBe(false);
  expect(isSmallFile("md", { tree: tree(100_000) }, 0)).toBe(true);
  expect(isSmallFile("html", { html: "a".repeat(500_000) }, 0)).toBe(false);
  expect(isSmallFile("pdf", { tree: tree(20) }, 9)).toBe(false);
  expect(isSmallFile("pdf", { tree: Array.from({ length: 5_000 }, () => paragraph(0)) }, 0)).toBe(
    false,
  );
});
