import type { Nodes, Properties } from "hast";
import { fromHtml } from "hast-util-from-html";

/*
 * The part of the DOM that ProseMirror and our walk need to read a page. Tests of pasting then need
 * no browser.
 */

/** Returns the HTML name of an attribute. */
function attributeName(name: string): string {
  if (name === "className") return "class";
  const isOwn = /^(?:data|aria)[A-Z]/.test(name);
  return isOwn
    ? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    : name.toLowerCase();
}

function attributesOf(properties: Properties): { name: string; value: string }[] {
  return Object.entries(properties).flatMap(([name, value]) => {
    if (value === null || value === undefined || value === false) return [];
    const words = Array.isArray(value) ? value.join(" ") : value === true ? "" : String(value);
    return [{ name: attributeName(name), value: words }];
  });
}

class PageNode {
  readonly childNodes: PageNode[] = [];
  readonly attributes: { name: string; value: string }[] = [];
  readonly style = { length: 0, whiteSpace: "", fontWeight: "" };
  parentNode: PageNode | null = null;

  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;

  constructor(nodeType: number, nodeName: string, nodeValue: string | null) {
    this.nodeType = nodeType;
    this.nodeName = nodeName;
    this.nodeValue = nodeValue;
  }

  get tagName() {
    return this.nodeName;
  }
  get firstChild(): PageNode | null {
    return this.childNodes[0] ?? null;
  }
  get firstElementChild(): PageNode | null {
    return this.childNodes.find(({ nodeType }) => nodeType === 1) ?? null;
  }
  get nextSibling(): PageNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }
  get className() {
    return this.getAttribute("class") ?? "";
  }
  get ownerDocument() {
    return { createTextNode: (words: string) => new PageNode(3, "#text", words) };
  }
  getAttribute(name: string): string | null {
    return this.attributes.find((one) => one.name === name)?.value ?? null;
  }
  querySelector(selector: string): PageNode | null {
    for (const child of this.childNodes) {
      const one = child.matches(selector) ? child : child.querySelector(selector);
      if (one !== null) return one;
    }
    return null;
  }
  appendChild(child: PageNode) {
    child.parentNode?.childNodes.splice(child.parentNode.childNodes.indexOf(child), 1);
    child.parentNode = this;
    this.childNodes.push(child);
  }
  /** Matches selectors of the schema's rules: a tag name and attributes. */
  matches(selector: string): boolean {
    if (this.nodeType !== 1) return false;
    const [, tag = ""] = /^([a-z0-9]*)/.exec(selector) ?? [];
    const wanted = [...selector.matchAll(/\[([a-z-]+)(?:="([^"]*)")?\]/g)];
    return (
      (tag === "" || this.nodeName.toLowerCase() === tag) &&
      wanted.every(([, name = "", value]) => {
        const own = this.getAttribute(name);
        return own !== null && (value === undefined || own === value);
      })
    );
  }
}

function read(node: Nodes, into: PageNode): void {
  if (node.type === "text") into.appendChild(new PageNode(3, "#text", node.value));
  else if (node.type === "comment") into.appendChild(new PageNode(8, "#comment", node.value));
  else if (node.type === "element") {
    const one = new PageNode(1, node.tagName.toUpperCase(), null);
    one.attributes.push(...attributesOf(node.properties));
    into.appendChild(one);
    for (const child of node.children) read(child, one);
  } else if (node.type === "root") for (const child of node.children) read(child, into);
}

/** Parses a page of this HTML. */
export function pageOf(html: string): PageNode {
  const page = new PageNode(1, "BODY", null);
  read(fromHtml(html), page);
  return page;
}
