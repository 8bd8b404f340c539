import { HistoryCheck } from "@/events/proof/verification";
import type { Remembered } from "@/events/proof/verification";
import { numberWords } from "@/events/core/text/number-words";
import type { PlayerContent } from "@/events/proof/player-file";
import { redactionOf } from "@/events/proof/redaction-event";
import { fingerprint, reportWords } from "@/events/proof/report-words";
import { element } from "./element";

const atOnce = 500;
const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeStyle: "short" });

/** Returns the heads that the exporter's browser had seen. */
function rememberedHeads({ heads }: PlayerContent): Remembered {
  const hashes = new Map(heads.map(({ version, hash }) => [version, hash]));
  const [newest] = heads.toSorted((one, other) => other.version - one.version);
  const head = newest
    ? { version: newest.version, hash: newest.hash, at: Date.parse(newest.seen) }
    : null;
  return {
    head,
    since: head?.at ?? null,
    agrees: (version, hash) => (hashes.has(version) ? hashes.get(version) === hash : null),
  };
}

/** Verifies the history in the page and shows the result. The check makes no request. */
export function proofPanel(content: PlayerContent): HTMLElement {
  const { rows, exported } = content;
  const verdict = element("span", { role: "status" }, "Checking the history…");
  const bar = element("progress", {
    max: String(rows.length),
    value: "0",
    "aria-label": "Checking the history",
  });
  const sentencesBox = element("div", { class: "report" }, bar);
  const panel = element(
    "details",
    { class: "proof" },
    element("summary", {}, verdict),
    sentencesBox,
  );
  const check = async () => {
    const history = new HistoryCheck({
      stream: rows[0]?.streamId ?? "",
      remembered: rememberedHeads(content),
      redactionOf,
    });
    for (let from = 0; from < rows.length; from += atOnce) {
      if (!(await history.add(rows.slice(from, from + atOnce)))) break;
      bar.value = history.version;
      // Yields to the event loop to keep the page responsive.
      await new Promise((resolve) => setTimeout(resolve));
    }
    const report = history.finish();
    const { sound, found, meaning } = reportWords(report, null, (time) => day.format(time));
    panel.dataset.sound = String(sound);
    panel.open = !sound;
    verdict.textContent = sound ? `Verified: ${numberWords(rows.length)} events` : found;
    const sentences = [
      ...(sound ? [found, ...meaning] : meaning),
      `Exported by ${exported.by} on ${day.format(new Date(exported.at))}. ` +
        "Names are as they were then; everything else is what the hashes cover.",
    ];
    sentencesBox.replaceChildren(...sentences.map((sentence) => element("p", {}, sentence)));
    const last = rows.at(-1);
    if (last)
      sentencesBox.append(
        element(
          "p",
          {},
          `Fingerprint at event ${numberWords(last.version)}: `,
          element("code", {}, fingerprint(last.hash)),
        ),
      );
  };
  void check();
  return panel;
}
