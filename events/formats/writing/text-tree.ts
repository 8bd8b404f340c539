import { XmlElement, XmlText } from "yjs";
import type { XmlFragment } from "yjs";
import { deepestText } from "@/events/content/text-schema";

/** Consecutive letters with the same marks. */
export type TreeText = { text: string; marks: Readonly<Record<string, unknown>> };
/** A node of a text with its content. */
export type TreeElement = {
  name: string;
  attributes: Readonly<Record<string, unknown>>;
  children: readonly TreeNode[];
};
/** A text as plain data for exporters, without an editor or a shared document. */
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

/** Returns a text's content. Content below the deepest allowed level is left out. */
export function textTree(parent: XmlFragment, depth = 0): TreeNode[] {
  if (depth > deepestText) return [];
  return parent.toArray().flatMap((child): TreeNode[] => {
    if (child instanceof XmlText) return textsOf(child);
    if (!(child instanceof XmlElement)) return [];
    const attributes: Record<string, unknown> = child.getAttributes();
    return [{ name: child.nodeName, attributes, children: textTree(child, depth + 1) }];
  });
}

/** Returns the elements among nodes. Text appears only inside elements. */
export function elementsOf(nodes: readonly TreeNode[]): TreeElement[] {
  return nodes.flatMap((node) => (isText(node) ? [] : [node]));
}

/** Returns the letters of nodes, without marks. */
export function lettersOf(nodes: readonly TreeNode[]): string {
  return nodes.map((node) => (isText(node) ? node.text : lettersOf(node.children))).join("");
}

/** Returns the ids of the documents that a text links to. */
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
