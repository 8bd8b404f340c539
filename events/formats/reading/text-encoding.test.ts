import { describe, expect, it } from "vitest";
import { fromBase64 } from "@/events/core/bytes/base64";
import { decodedText } from "./text-encoding";

/** Texts as other programs write them: the encoding, the bytes and the text. */
const undeclared: [encoding: string, bytes: string, text: string][] = [
  [
    "windows-1252",
    "TGUgY2Fm6SBlc3QgZmVybekgOiCrIOAgYmllbnT0dCC7IJYgNSCALg==",
    "Le café est fermé : « à bientôt » – 5 €.",
  ],
  [
    "KOI8-R",
    "8NLP1M/Lz8wg2sHTxcTBzsnRLiDr0tnbwSDQ0s/UxcvBxdQsINLFzc/O1CDOwd7Oo9TT0SDXIM3BxS4=",
    "Протокол заседания. Крыша протекает, ремонт начнётся в мае.",
  ],
  [
    "windows-1251",
    "z/Du8u7q7usg5+Dx5eTg7ej/LiDK8Pv44CDv8O7y5erg5fIsIPDl7O7t8iDt4PftuPLx/yDiIOzg5S4=",
    "Протокол заседания. Крыша протекает, ремонт начнётся в мае.",
  ],
  [
    "Shift_JIS",
    "ie+LY4LMi0yYXoFCia6NqoKpgueJSoKqmFKC6oLEgqKC3IK3gUKPQ5edgs2M3IyOgsmOboLcguiC3IK3gUI=",
    "会議の記録。屋根から雨が漏れています。修理は五月に始まります。",
  ],
  [
    "EUC-JP",
    "svG1xKTOta3Pv6GjsrC6rKSrpOmxq6Ssz7Ok7KTGpKSk3qS5oaO9pM39pM+43rfupMu7z6TepOqk3qS5oaM=",
    "会議の記録。屋根から雨が漏れています。修理は五月に始まります。",
  ],
  [
    "UTF-16LE without a mark",
    "TABlACAAYwBhAGYA6QAgAGUAcwB0ACAAZgBlAHIAbQDpACAAOgAgAKsAIADgACAAYgBpAGUAbgB0APQAdAAgALsAIAATICAANQAgAKwgLgA=",
    "Le café est fermé : « à bientôt » – 5 €.",
  ],
  [
    "UTF-16BE without a mark",
    "AEwAZQAgAGMAYQBmAOkAIABlAHMAdAAgAGYAZQByAG0A6QAgADoAIACrACAA4AAgAGIAaQBlAG4AdAD0AHQAIAC7ACAgEwAgADUAICCsAC4=",
    "Le café est fermé : « à bientôt » – 5 €.",
  ],
  ["short Shift_JIS", "grGC8YLJgr+CzZCiikU=", "こんにちは世界"],
];
const bytesOf = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

describe("the encoding of a file", () => {
  it.each(undeclared)("[FORMAT-21] is detected from its bytes: %s", (_, bytes, text) => {
    expect(decodedText(fromBase64(bytes))).toBe(text);
  });

  it("[FORMAT-21] is Western European by default", () => {
    expect(decodedText(bytesOf("Caf\xe9"))).toBe("Café");
    expect(decodedText(bytesOf("<p>Caf\xe9</p>"))).toBe("<p>Café</p>");
  });

  it.each([
    ["HTML", '<meta charset="koi8-r"><p>\xcb\xcf\xd4', "кот"],
    [
      "HTML of old",
      '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251"><p>\xea\xee\xf2',
      "кот",
    ],
    ["XML", '<?xml version="1.0" encoding="Shift_JIS"?><p>\x94\x4c', "猫"],
  ])("[FORMAT-21] is the one that the file declares: %s", (_, bytes, word) => {
    expect(decodedText(bytesOf(bytes)).endsWith(`<p>${word}`)).toBe(true);
  });

  it("[FORMAT-21] ignores a declaration that the bytes contradict", () => {
    expect(decodedText(bytesOf('<meta charset="utf-8"><p>Caf\xe9'))).toContain("Café");
    const utf8 = new TextEncoder().encode('<meta charset="utf-16"><p>Café');
    expect(decodedText(utf8)).toContain("Café");
    expect(decodedText(bytesOf('<meta charset="no-such"><p>Caf\xe9'))).toContain("Café");
  });

  it("[FORMAT-21] is the one of the byte order mark, which is dropped from the text", () => {
    const utf16 = Uint8Array.of(0xfe, 0xff, 0, 0x43, 0x20, 0xac);
    expect(decodedText(utf16)).toBe("C€");
    expect(decodedText(Uint8Array.of(0xff, 0xfe, 0xac, 0x20))).toBe("€");
    expect(decodedText(new TextEncoder().encode("\ufeffCafé"))).toBe("Café");
  });

  it("[FORMAT-21] is UTF-8 for any valid UTF-8", () => {
    for (const text of ["", "plain", "Ünïcode", "日本語", "👋🏽"])
      expect(decodedText(new TextEncoder().encode(text))).toBe(text);
  });
});
