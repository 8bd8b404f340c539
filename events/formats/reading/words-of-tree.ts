import type { Nodes } from "mdast";

const wordTypes = new Set([
  "text",
  "emphasis",
  "strong",
  "delete",
  "inlineCode",
  "break",
  "link",
  "linkReference",
  "image",
  "imageReference",
  "footnoteReference",
  "html",
]);

/** Whether a node is inline. An inline node from HTML may still contain blocks. */
export const isWords = ({ type }: Nodes): boolean => wordTypes.has(type);

/** Returns the words of a node in order, with a space between blocks. */
export function wordsOfTree(node: Nodes): string {
  const found: string[] = [];
  const waiting: (Nodes | string)[] = [node];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === "string") found.push(next);
    else if (next.type === "break") found.push(" ");
    else if (next.type === "html") continue;
    else if ("value" in next) found.push(next.value);
    else if (next.type === "footnoteReference") found.push(`[${next.label ?? next.identifier}]`);
    else if ("alt" in next) found.push(next.alt ?? "");
    else if ("children" in next) {
      const isLine = isWords(next);
      if (!isLine) waiting.push(" ");
      for (let at = next.children.length - 1; at >= 0; at -= 1) {
        const child = next.children[at];
        if (child) waiting.push(child);
      }
      if (next.type === "footnoteDefinition") waiting.push(`[${next.label ?? next.identifier}] `);
    }
  }
  return found.join("").trim();
}
