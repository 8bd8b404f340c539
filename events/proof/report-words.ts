import type { Fault, Report } from "./verification";
import { numberWords } from "@/events/core/text/number-words";

/** A report in words: the finding, its meaning, and what to do. */
type ReportWords = { sound: boolean; found: string; meaning: string[] };

/** Formats a time for a sentence: "yesterday at 15:42", "14 November at 15:42". */
type FormatTime = (time: number) => string;

const faults: Record<Fault, (version: string) => string> = {
  "missing-event": (version) => `Event ${version} is missing, or is not in its place.`,
  "other-stream": (version) => `Event ${version} belongs to another document.`,
  "content-missing": (version) =>
    `The content of event ${version} is missing, and no redaction says why.`,
  "redaction-differs": (version) =>
    `What stands in the place of event ${version}, which was redacted, is not what its redaction left.`,
  "content-differs": (version) => `The content of event ${version} is not what was recorded.`,
  "chain-broken": (version) =>
    `Event ${version}, or its place after the one before it, is not what was recorded.`,
};

function count(number: number, one: string, more: string): string {
  return `${numberWords(number)} ${number === 1 ? one : more}`;
}

function soundWords(
  { head, redacted, seenBefore }: Extract<Report, { verdict: "intact" }>,
  since: string | null,
): ReportWords {
  const all = head.version;
  if (all === 0) {
    return {
      sound: false,
      found: "There is nothing here that could be checked.",
      meaning: [
        "You were given no event of this document: its history is not shown to you, or you " +
          "have no access to it any more.",
      ],
    };
  }
  const meaning = [
    `${all === 1 ? "The one event follows" : `All ${numberWords(all)} events follow`} ` +
      "from the beginning, each on the one before it, and each holds what was recorded.",
  ];
  if (redacted.length > 0) {
    meaning.push(
      `${count(redacted.length, "event was", "events were")} redacted: the ` +
        "content is gone for good; the place, the author and the time stand.",
    );
  }
  if (since !== null) {
    meaning.push(
      seenBefore > 0
        ? `${seenBefore === all ? "They are" : `${numberWords(seenBefore)} of them are`} ` +
            `the same that this browser has seen before. The first of them it saw ${since}.`
        : "This browser had not seen this history before, so it cannot tell whether the whole " +
            "of it was exchanged. From now on it remembers.",
    );
  }
  return { sound: true, found: "This history is as it was recorded.", meaning };
}

const advice =
  "This check changed nothing. Keep what there is with “Export…”, and show it to " +
  "whoever keeps the database or its backups.";

/**
 * Describes a check's result. `since` is when this browser began to remember the document, or null
 * if nothing is compared.
 */
export function reportWords(
  report: Report,
  since: string | null,
  formatTime: FormatTime,
): ReportWords {
  switch (report.verdict) {
    case "intact":
      return soundWords(report, since);
    case "damaged": {
      const before =
        report.version > 1
          ? `Up to event ${numberWords(report.version - 1)} everything ` +
            "is as it was recorded; from there on nothing is proved."
          : "Nothing of it is proved.";
      return {
        sound: false,
        found: faults[report.fault](numberWords(report.version)),
        meaning: [
          "The history was changed after it was recorded, by somebody who can " +
            `write to the database itself, or by a fault of its disk. ${before}`,
          advice,
        ],
      };
    }
    case "rewritten": {
      const agreed =
        report.agreed > 0 ? `It is the same up to event ${numberWords(report.agreed)}. ` : "";
      return {
        sound: false,
        found: `From event ${numberWords(report.version)} on, this is not the history that this browser has seen.`,
        meaning: [
          "The events hold together, and they are others: the history was " +
            "rewritten, or it went on differently after an older backup was " +
            `put back. ${agreed}When this browser last saw it, ` +
            `${formatTime(report.seen.at)}, it reached event ` +
            `${numberWords(report.seen.version)}.`,
          advice,
        ],
      };
    }
    case "other-text":
      return {
        sound: false,
        found:
          "The history is as it was recorded, and the text you were shown is not what it adds up to.",
        meaning: [
          `All ${numberWords(report.head.version)} events are sound, so nothing is lost. ` +
            "What you see was kept beside them, so that the document opens faster, and is " +
            "wrong: somebody who can write to the database changed it, or it was made " +
            "wrongly.",
          "Have the text made anew from its events. What you have not saved yet is kept.",
        ],
      };
    case "shortened":
      return {
        sound: false,
        found: `The history ends before event ${numberWords(report.version)}, which this browser has seen.`,
        meaning: [
          `It reached event ${numberWords(report.seen.version)} when this ` +
            `browser last saw it, ${formatTime(report.seen.at)}. What came ` +
            `after event ${numberWords(report.version - 1)} is no longer on ` +
            "the server: its end was cut off, or an older backup was put " +
            "back.",
          advice,
        ],
      };
  }
}

/** Formats a hash for comparison by eye, in groups of eight. */
export function fingerprint(hash: string): string {
  return hash.match(/.{1,8}/g)?.join(" ") ?? "";
}
