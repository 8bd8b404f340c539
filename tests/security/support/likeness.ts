import type { Answer } from "./asking";
import type { Target } from "./scene";

/** Of these each answer has its own. */
const ownHeaders = ["date", "x-request-id", "set-cookie"];

/** What Next calls each of its answers by, in what its own client fetches. */
const ownName = /"[\w-]{21}(?=[vm]")/g;

/** An answer without what each has of its own: the ids that were asked for, its number, its time, its nonce. */
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
 * A body by its lines. A page comes in pieces as they are ready, which are cut, ordered and numbered
 * differently each time: of those the lines are put in order, without their numbers.
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

/** Where the first answers of two kinds begin to differ. */
export function difference([some, others]: readonly [Set<string>, Set<string>]): string {
  const [one, other] = [some, others].map((answers) => [...answers][0]?.split("\n") ?? []);
  const at = one?.findIndex((line, index) => line !== other?.[index]) ?? -1;
  const [left = "", right = ""] = [one?.[at], other?.[at]];
  const from = [...left].findIndex((sign, index) => sign !== right[index]);
  return `“${left.slice(from - 80, from + 80)}” and “${right.slice(from - 80, from + 80)}”`;
}
