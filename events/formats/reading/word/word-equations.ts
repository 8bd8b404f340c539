import { childOf, childrenOf } from "./word-xml";

const grouped = (words: string) => ([...words].length > 1 ? `(${words})` : words);

function part(one: Element, name: string): string {
  const found = childOf(one, name);
  return found === null ? "" : equationWords(found);
}

function signOf(one: Element, properties: string, name: string, usual: string): string {
  const sign = childOf(childOf(one, properties), name);
  return sign === null ? usual : (sign.getAttribute("m:val") ?? "");
}

const raised = (words: string) => (words === "" ? "" : `^${grouped(words)}`);
const lowered = (words: string) => (words === "" ? "" : `_${grouped(words)}`);

/** Returns an equation on one line, as people type it. */
export function equationWords(one: Element): string {
  switch (one.nodeName) {
    case "m:t":
    case "w:t":
      return one.textContent ?? "";
    case "m:f":
      return `${grouped(part(one, "m:num"))}/${grouped(part(one, "m:den"))}`;
    case "m:sSup":
    case "m:sSub":
    case "m:sSubSup":
      return part(one, "m:e") + lowered(part(one, "m:sub")) + raised(part(one, "m:sup"));
    case "m:rad":
      return `${part(one, "m:deg")}√${grouped(part(one, "m:e"))}`;
    case "m:nary":
      return (
        signOf(one, "m:naryPr", "m:chr", "∫") +
        lowered(part(one, "m:sub")) +
        raised(part(one, "m:sup")) +
        part(one, "m:e")
      );
    case "m:d": {
      const inside = childrenOf(one).filter(({ nodeName }) => nodeName === "m:e");
      const between = signOf(one, "m:dPr", "m:sepChr", "|");
      return (
        signOf(one, "m:dPr", "m:begChr", "(") +
        inside.map(equationWords).join(between) +
        signOf(one, "m:dPr", "m:endChr", ")")
      );
    }
    case "m:mr":
      return `${childrenOf(one).map(equationWords).join(", ")}; `;
    default:
      return childrenOf(one).map(equationWords).join("");
  }
}
