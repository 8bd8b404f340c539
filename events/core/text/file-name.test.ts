import fc from "fast-check";
import { expect, it } from "vitest";
import { fileName } from "./file-name";

it.each([
  ["report.pdf", "report.pdf"],
  ["../../etc/passwd", "passwd"],
  ["C:\\Users\\Ana\\plan.docx", "plan.docx"],
  ["a\u0000b.png", "ab.png"],
  ["\u202egnp.exe", "gnp.exe"],
  ["  two   words .txt ", "two words .txt"],
  ["..", "File"],
  ["\u200b\u2060", "File"],
  ["", "File"],
])("[FILE-23] names a file by the visible part of its name: %j", (given, name) => {
  expect(fileName(given)).toBe(name);
});

it("[FILE-23] keeps the extension of a name that is too long", () => {
  const name = fileName(`${"x".repeat(300)}.pdf`);
  expect([[...name].length, name.slice(-5)]).toEqual([200, "x.pdf"]);
});

it("[FILE-23] gives every name a form that the log accepts", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (given) => {
      const name = fileName(given);
      expect(name.length).toBeGreaterThan(0);
      expect([...name].length).toBeLessThanOrEqual(200);
      expect(name).not.toMatch(/[\p{Cc}\p{Cs}\\/\u202a-\u202e\u2066-\u2069]/u);
      expect(fileName(name)).toBe(name);
    }),
  );
});
