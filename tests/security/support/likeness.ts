import type { Answer } from "./asking";
import type { Target } from "./scene";

/** Headers that differ in every answer. */
const ownHeaders = ["date", "x-request-id", "set-cookie"];

/** The ids that Next gives each answer in its client data. */
const ownName = /"[\w-]{21}(?=[vm]")/g;

/** Returns an answer without its individual parts: requested ids, number, time and nonce. */
export function likeness(answer: Answer, target: Target): string {
  const policy = answer.headers.get("content-security-policy") ?? "";
  const nonce = /'nonce-([^']+)'/.exec(policy)?.[1];
  const own = [...Object.values(target).filter((value) => typeof value === "string"), nonce];
  const plain = (text: string) =>
    own
      .reduce<string>((rest, word) => (word ? rest.replaceAll(word, "…") : rest), text)
      .replaceAll(ownName, '"…');
  const headers = [...answer.headers]
    .filter(([name]) => !ownHeaders.includes(name))
    .map(([name, value]) => `${name}: ${plain(value)}`);
  return [
    answer.status,
    ...headers.toSorted(),
    ...lines(plain(answer.bytes.toString("latin1"))),
  ].join("\n");
}

/**
 * Splits a body into lines. A page arrives in pieces that are cut, ordered and numbered differently
 * each time, so its lines are sorted and stripped of numbers.
 */
function lines(body: string): string[] {
  const isData = /^\d+:/.test(body);
  if (!isData && !body.startsWith("<!DOCTYPE html>")) return [body];
  const seam = /"\]\)<\/script><script nonce="…">self\.__next_f\.push\(\[1,"/g;
  const pieces = isData ? body.split("\n") : body.replaceAll(seam, "").split(/\\n|(?=<)/);
  return pieces
    .map((piece) => piece.replace(/^[\da-f]+:/, "…:").replaceAll(/"\$[LQ@]?[\da-f]+\\?"/g, '"$…"'))
    .toSorted();
}

/** Returns the first difference between the answers of two kinds. */
export function difference([some, others]: readonly [Set<string>, Set<string>]): string {
  const [one, other] = [some, others].map((answers) => [...answers][0]?.split("\n") ?? []);
  const at = one?.findIndex((line, index) => line !== other?.[index]) ?? -1;
  const [left = "", right = ""] = [one?.[at], other?.[at]];
  const from = [...left].findIndex((sign, index) => sign !== right[index]);
  return `“${left.slice(from - 80, from + 80)}” and “${right.slice(from - 80, from + 80)}”`;
}
