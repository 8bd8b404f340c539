import { XmlElement, XmlText, type XmlFragment } from "yjs";
import { deepestText } from "@/events/content/text-schema";

/** A stretch of letters that wear the same marks. */
export type TreeText = { text: string; marks: Readonly<Record<string, unknown>> };
/** A node of a text with what it holds. */
export type TreeElement = {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
  children: readonly TreeNode[];
};
/** A text as plain data, for what writes it to a file: no editor and no shared document. */
export type TreeNode = TreeElement | TreeText;

export function isText(node: TreeNode): node is TreeText {
  return "text" in node;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(text: XmlText): TreeText[] {
  const runs: { insert?: unknown; attributes?: unknown }[] = text.toDelta();
  return runs.flatMap(({ insert, attributes }) => {
    if (typeof insert !== "string" || insert === "") return [];
    const marks = Object.entries(isRecord(attributes) ? attributes : {}).filter(
      ([, value]) => value !== null && value !== undefined,
    );
    return [{ text: insert, marks: Object.fromEntries(marks) }];
  });
}

/** What a text holds, whatever that is; what lies deeper than a text may go is left out. */
export function textTree(parent: XmlFragment, depth = 0): TreeNode[] {
  if (depth > deepestText) return [];
  return parent.toArray().flatMap((child): TreeNode[] => {
    if (child instanceof XmlText) return textsOf(child);
    if (!(child instanceof XmlElement)) return [];
    const attributes: Record<string, unknown> = child.getAttributes();
    return [{ name: child.nodeName, attributes, children: textTree(child, depth + 1) }];
  });
}

/** The elements among nodes: text has its place in them alone. */
export function elementsOf(nodes: readonly TreeNode[]): TreeElement[] {
  return nodes.flatMap((node) => (isText(node) ? [] : [node]));
}

/** The letters of nodes, without their marks. */
export function lettersOf(nodes: readonly TreeNode[]): string {
  return nodes.map((node) => (isText(node) ? node.text : lettersOf(node.children))).join("");
}

/** The documents that a text links to. */
export function linkedInTree(nodes: readonly TreeNode[]): string[] {
  const found = nodes.flatMap((node): unknown[] =>
    isText(node)
      ? []
      : node.name === "documentLink"
        ? [node.attributes.document]
        : linkedInTree(node.children),
  );
  return [...new Set(found.filter((id) => typeof id === "string"))];
}
