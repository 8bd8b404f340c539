import type { Root } from "hast";
import { fromParse5 } from "hast-util-from-parse5";
import { defaultTreeAdapter, parse, parseFragment } from "parse5";
import type { DefaultTreeAdapterMap } from "parse5";
import { ImportError } from "./import-error";

type Parent = DefaultTreeAdapterMap["parentNode"];

/**
 * Limits on a page, in elements and not in seconds, so that they do not depend on the machine.
 * Content deeper than `levels` moves to its ancestor, as in browsers. Parsing takes quadratic time
 * in the number of open elements, which `open` limits.
 */
const htmlLimits = { elements: 1_000_000, levels: 256, open: 5_000, attributes: 2_000 };
type HtmlLimits = typeof htmlLimits;

/** Builds a page's tree within limits, so that recursion can walk any page's tree. */
function boundedAdapter({ elements, levels, open }: HtmlLimits): typeof defaultTreeAdapter {
  let made = 0;
  const depths = new WeakMap<object, number>();
  const hosts = new WeakMap<object, Parent>();
  /** Returns the element that holds a parent's content: itself, or an ancestor if too deep. */
  const hostOf = (parent: Parent) => hosts.get(parent) ?? parent;
  const place = (parent: Parent, child: object) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    if (depth > open) throw new RangeError("HTML is nested too deeply");
    depths.set(child, depth);
    if (depth > levels) hosts.set(child, hostOf(parent));
    // A template's content is a separate tree, which exists before the template is inserted.
    if ("content" in child && typeof child.content === "object" && child.content !== null)
      depths.set(child.content, depth);
  };
  return {
    ...defaultTreeAdapter,
    createElement(name, space, attributes) {
      made += 1;
      if (made > elements)
        throw new ImportError(`A page of more than ${elements} elements is too large to be read.`);
      return defaultTreeAdapter.createElement(name, space, attributes);
    },
    appendChild(parent, child) {
      place(parent, child);
      defaultTreeAdapter.appendChild(hostOf(parent), child);
    },
    insertBefore(parent, child, before) {
      place(parent, child);
      const host = hostOf(parent);
      const isBeside = defaultTreeAdapter.getParentNode(before) === host;
      if (isBeside) defaultTreeAdapter.insertBefore(host, child, before);
      else defaultTreeAdapter.appendChild(host, child);
    },
    insertText(parent, text) {
      defaultTreeAdapter.insertText(hostOf(parent), text);
    },
    insertTextBefore(parent, text, before) {
      const host = hostOf(parent);
      const isBeside = defaultTreeAdapter.getParentNode(before) === host;
      if (isBeside) defaultTreeAdapter.insertTextBefore(host, text, before);
      else defaultTreeAdapter.insertText(host, text);
    },
  };
}

/** Refuses a tag with so many attributes that comparing all pairs would take minutes. */
function checkAttributes(html: string, { attributes }: HtmlLimits): void {
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", at + 1)) {
    const end = html.indexOf("<", at + 1);
    // An attribute has at least two letters.
    if ((end < 0 ? html.length : end) - at < 2 * attributes) continue;
    const [tag = ""] = html.slice(at, end < 0 ? undefined : end).split(">", 1);
    if (/^<[a-z]/i.test(tag) && tag.split(/[\s/]+/, attributes + 2).length > attributes + 1)
      throw new ImportError(
        `A tag with more than ${attributes} attributes is more than can be read.`,
      );
  }
}

/** Parses a page or a fragment to a tree. Loads no resources and runs no scripts. */
export function htmlTree(html: string, isPage: boolean, limits: HtmlLimits = htmlLimits): Root {
  checkAttributes(html, limits);
  const options = { treeAdapter: boundedAdapter(limits), scriptingEnabled: false };
  const tree = fromParse5(isPage ? parse(html, options) : parseFragment(html, options));
  return tree.type === "root" ? tree : { type: "root", children: [] };
}
