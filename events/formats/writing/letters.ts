import { loneSurrogates } from "@/events/core/text/storable-text";

/** Replaces characters that XML forbids, and lone surrogates, by U+FFFD. */
export function xmlLetters(text: string): string {
  return text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
    .replace(loneSurrogates, "\ufffd");
}

const firstLetter = /\p{L}/u;
const fromTheRight =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether a paragraph is right-to-left, according to its first letter. */
export function isFromTheRight(text: string): boolean {
  return fromTheRight.test(firstLetter.exec(text)?.[0] ?? "");
}
