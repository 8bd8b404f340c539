import type { DOMOutputSpec, NodeSpec } from "@tiptap/pm/model";
import { createElement } from "react";
import type { ReactNode } from "react";
import { linkSpec } from "@/components/editor/document-links/link-spec";
import { documentSchema } from "@/events/content/schema";

const childless = new Set(["br", "hr", "input", "col", "img"]);
/** DOM attributes that React spells differently. */
const spelling: Record<string, string> = {
  class: "className",
  colspan: "colSpan",
  rowspan: "rowSpan",
  tabindex: "tabIndex",
  spellcheck: "spellCheck",
  checked: "defaultChecked",
};
// Left out because the copy is not editable.
const leftOut = new Set(["contenteditable", "style"]);

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function properties(attributes: Record<string, unknown>): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(attributes)) {
    const plain = typeof value === "string" || typeof value === "number";
    if (!plain || !/^[a-z][a-z-]*$/.test(name) || name.startsWith("on") || leftOut.has(name))
      continue;
    found[spelling[name] ?? name] = name === "checked" ? true : value;
  }
  return found;
}

function drawn(spec: unknown, children: ReactNode, extra: Record<string, unknown>): ReactNode {
  if (spec === 0) return children;
  if (typeof spec === "string") return spec;
  if (!Array.isArray(spec)) return children;
  const [tag, ...rest]: unknown[] = spec;
  if (typeof tag !== "string" || !/^[a-z][a-z0-9]*$/.test(tag)) return children;
  const [first] = rest;
  const inside = isRecord(first) ? rest.slice(1) : rest;
  const own = {
    ...properties(isRecord(first) ? first : {}),
    ...(tag === "input" ? { disabled: true } : {}),
    ...extra,
  };
  if (childless.has(tag)) return createElement(tag, own);
  return createElement(tag, own, ...inside.map((child) => drawn(child, children, {})));
}

function known(attrs: Record<string, unknown>, names: NodeSpec["attrs"]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(attrs).filter(([name]) => names && name in names));
}

type NodeProps = {
  name: string;
  attrs: Record<string, unknown>;
  children?: ReactNode;
  extra?: Record<string, unknown>;
};

/** Renders a node of a document as the editor does. An unknown node becomes a plain box. */
export function DrawnNode({ name, attrs, children, extra = {} }: NodeProps): ReactNode {
  const type = documentSchema.nodes[name];
  const spec: DOMOutputSpec = linkSpec(name, attrs) ??
    type?.spec.toDOM?.(type.create(known(attrs, type.spec.attrs))) ?? ["div", 0];
  return drawn(spec, children, extra);
}

/** Renders words with a mark as the editor does. */
export function DrawnMark({
  type: name,
  attrs,
  children,
}: {
  type: string;
  attrs: unknown;
  children: ReactNode;
}): ReactNode {
  const type = documentSchema.marks[name];
  const spec = type?.spec.toDOM?.(
    type.create(isRecord(attrs) ? known(attrs, type.spec.attrs) : null),
    true,
  );
  return spec ? drawn(spec, children, {}) : children;
}
