import fc from "fast-check";
import { expect, test } from "vitest";
import { tamedName } from "./names";

test.each([
  ["Village Library", "Village Library"],
  ["Ana Marić", "Ana Marić"],
  ["图书馆 2026", "图书馆 2026"],
  ["Pay now at https://evil.example/pay", "Pay now at"],
  ["evil.example", ""],
  ["HTTPS://EVIL.EXAMPLE win", "win"],
  ["write to mallory@evil.example now", "write to now"],
  ["www.evil", ""],
  ["evil\u200b.\u200bexample", ""],
  ["evil．example", ""],
  ["evil。example", ""],
  ["ｅｖｉｌ.example/pay", ""],
  ["http:\\\\evil", ""],
  ["javascript:alert(1)", ""],
  ["10.0.0.1/pay", ""],
  ["bücher.example", ""],
  ["xn--bcher-kva.example", ""],
  ["a\u202egnp.exe", ""],
  ["\u202eevil\u2066 name\u2069", "evil name"],
  ["first\r\nBcc: x", "first Bcc: x"],
  ["“, your bank, writes: “", ", your bank, writes:"],
  ["<b>bold</b>", "bbold/b"],
  ["\u3164\u2800\u200b", ""],
  ["version 1.2 of St. Mary’s", "version 1.2 of St. Mary’s"],
])("[MAIL-22] %j appears in a mail as %j", (name, tamed) => {
  expect(tamedName(name)).toBe(tamed);
});

test("[MAIL-22] a name is cut to 40 graphemes", () => {
  expect(tamedName("a".repeat(40))).toBe("a".repeat(40));
  expect(tamedName("a".repeat(41))).toBe(`${"a".repeat(39)}…`);
  expect([...new Intl.Segmenter("en").segment(tamedName("👩🏽".repeat(50)))]).toHaveLength(40);
  expect(tamedName(`e${"\u0332".repeat(500)}`).length).toBeLessThan(6);
});

test("[MAIL-22] no name keeps an address, a control or a direction character", () => {
  const part = fc.constantFrom(
    "https://",
    "evil",
    ".",
    "example",
    "/",
    "@",
    "\u202e",
    "\u200b",
    " ",
    "\n",
    "“",
    "”",
    "www.",
    "．",
    "。",
    "\u0000",
    "\ud800",
    "a",
    "mailto:",
    "…",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(part, fc.string({ unit: "grapheme", maxLength: 4 })), { maxLength: 30 }),
      (parts) => {
        const tamed = tamedName(parts.join(""));
        expect(tamed).not.toMatch(/[\p{Cc}\p{Cf}“”"@]|:\/\/|[a-z]\.[a-z]{2}|www\./iu);
        expect(tamed).toBe(tamed.trim());
        expect([...new Intl.Segmenter("en").segment(tamed)].length).toBeLessThanOrEqual(40);
      },
    ),
  );
});
