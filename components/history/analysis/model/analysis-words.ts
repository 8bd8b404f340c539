import type { AccountEntry } from "@/events/analysis/account-of-changes";
import type { RestrictedHistory } from "@/machines/history-visibility";
import { dateWords } from "@/components/history/words/revision-words";
import { numberWords } from "@/events/core/text/number-words";

const minute = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const longestQuote = 90;

/** Formats a time to the minute: "15:42". */
function minuteWords(time: number): string {
  return minute.format(time);
}

/** Formats a range of times: "15:42", or "15:42–15:44" if it exceeds a minute. */
export function minutesWords(from: number, to: number): string {
  const [begins, ends] = [minuteWords(from), minuteWords(to)];
  return begins === ends ? begins : `${begins}–${ends}`;
}

/** Formats a range with its day: "14 November, 15:42 to 15:44", or one time within a minute. */
export function spanWords(from: number, to: number, newest: number): string {
  const [begins, ends] = [minuteWords(from), minuteWords(to)];
  const day = dateWords(from, newest);
  if (dateWords(to, newest) !== day)
    return `${day}, ${begins} to ${dateWords(to, newest)}, ${ends}`;
  return begins === ends ? `${day}, ${begins}` : `${day}, ${begins} to ${ends}`;
}

/** Formats a number of words: "1 word", "4 310 words". */
export function countedWords(count: number): string {
  return `${numberWords(count)} ${count === 1 ? "word" : "words"}`;
}

/** Formats an active time: "under a minute", "14 min", "3 h 05". */
export function activeWords(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return "under a minute";
  if (minutes < 60) return `${minutes} min`;
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
}

/** Formats a share from 0 to 1 in whole per cent. A share above 0 is never shown as 0 %. */
export function shareWords(share: number): string {
  if (share === 0) return "0 %";
  return share < 0.01 ? "under 1 %" : `${Math.round(share * 100)} %`;
}

/** Names the roles that can read the counted history, without those restricted to versions. */
export function readersWords({ viewer, commenter }: RestrictedHistory): string {
  const without = [
    ...(viewer === "everything" ? [] : ["viewers"]),
    ...(commenter === "everything" ? [] : ["commenters"]),
  ];
  return without.length === 0
    ? "Counted from the history, which everybody here can read."
    : "Counted from the history, which everybody here can read " +
        `but ${without.join(" and ")}: they see named versions ` +
        "alone.";
}

/** Puts a text in quotation marks. A long text is shortened in the middle. */
export function quoted(text: string): string {
  const plain = text.replaceAll(/\s+/g, " ").trim();
  if (plain.length <= longestQuote) return `“${plain}”`;
  const letters = [...plain];
  return `“${letters
    .slice(0, longestQuote - 30)
    .join("")
    .trimEnd()} … ${letters.slice(-25).join("").trimStart()}”`;
}

/**
 * Describes an author's changes under a heading as a predicate: "added 12 words and took out 3
 * words under “The rule”: “…”."
 */
export function accountWords({
  section,
  isAboveHeadings,
  added,
  removed,
  atOnce,
  removedText,
}: AccountEntry): string {
  const under =
    section !== null ? ` under ${quoted(section)}` : isAboveHeadings ? " at the beginning" : "";
  const pasted =
    atOnce === 0
      ? ""
      : atOnce === added
        ? " in one go"
        : `, ${numberWords(atOnce)} of them in one go`;
  const out = removed === 0 ? "" : `deleted ${countedWords(removed)}`;
  const struck =
    removed === 0
      ? ""
      : `: ${removedText.slice(0, 2).map(quoted).join(", ")}${removedText.length > 2 ? " and more" : ""}`;
  if (added === 0) return `${out}${under}${struck}.`;
  const into = `added ${countedWords(added)}${pasted}`;
  return removed === 0 ? `${into}${under}.` : `${into}${under} and ${out}${struck}.`;
}
