type ForeignNodes = {
  /**
   * Restores the nodes that were withheld from hydration. From now on, React finds its own nodes.
   */
  hydrated(): void;
};

declare global {
  interface Window {
    foreignNodes?: ForeignNodes;
  }
}

/**
 * Lets React work in a page whose nodes other scripts replace, wrap, move or remove: page
 * translators, grammar checkers, password managers. Every page inlines the function's source, which
 * runs before any script is fetched. The function may not refer to anything outside itself.
 *
 * A translator replaces a text node by `<font>`. React still holds the text node: it removes the
 * node, inserts before it, and sets its text. Each of these operations is applied to the
 * replacement. A text node with new words is restored, and the translator handles it as new text.
 */
export function tolerateForeignNodes(): void {
  const { appendChild, insertBefore, removeChild } = Node.prototype;
  // The element that replaces a removed node, and the nodes that an element replaces, in order.
  const standIns = new WeakMap<Node, Element>();
  const replaced = new WeakMap<Node, Node[]>();
  // The nodes that the page's own code inserted and removed.
  const inserted = new WeakSet<Node>();
  const removed = new WeakSet<Node>();
  // Changes withheld from hydration. Each node is withheld once, because a script that reacts
  // synchronously would cause an endless loop.
  let hydrating = true;
  let changed = false;
  const held: (() => void)[] = [];
  const heldOnce = new WeakSet<Node>();

  const putBack = (standIn: Element) => {
    const nodes = replaced.get(standIn) ?? [];
    replaced.delete(standIn);
    for (const node of nodes) standIns.delete(node);
    standIn.replaceWith(...nodes);
  };
  const words = new MutationObserver((records) => {
    for (const { target } of records) {
      let node: Node | null = target;
      while (node !== null && !standIns.has(node)) node = node.parentNode;
      const standIn = node && standIns.get(node);
      if (standIn) putBack(standIn);
    }
  });
  const replace = (node: Node, standIn: Element) => {
    const nodes = replaced.get(node) ?? [node];
    replaced.delete(node);
    replaced.set(standIn, [...(replaced.get(standIn) ?? []), ...nodes]);
    for (const each of nodes) {
      standIns.set(each, standIn);
      words.observe(each, { characterData: true, childList: true, subtree: true });
    }
    if (!hydrating || nodes.some((each) => heldOnce.has(each))) return;
    for (const each of nodes) heldOnce.add(each);
    putBack(standIn);
    const [first] = nodes;
    const parent = first?.parentElement ?? null;
    // Without `translate="no"`, the translator would replace the text again at once.
    const isAsked = parent !== null && !parent.hasAttribute("translate");
    if (isAsked) parent.setAttribute("translate", "no");
    held.push(() => {
      if (isAsked) parent.removeAttribute("translate");
      if (first?.isConnected === true && nodes.length === 1)
        first.parentNode?.replaceChild(standIn, first);
    });
  };
  /** Withholds a foreign element from hydration. */
  const hold = (node: Element, parent: Node) => {
    const isKept =
      heldOnce.has(node) ||
      inserted.has(node) ||
      document.readyState === "loading" ||
      node.matches("[data-early], script, style, link, template, font") ||
      node.parentNode !== parent ||
      parent === document.body ||
      document.head.contains(parent);
    if (isKept) return;
    const next = node.nextSibling;
    heldOnce.add(node);
    changed = true;
    node.remove();
    held.push(() => {
      if (parent.isConnected)
        insertBefore.call(parent, node, next?.parentNode === parent ? next : null);
    });
  };

  const read = (records: MutationRecord[]) => {
    const added = new Set<Node>();
    for (const { addedNodes } of records) for (const node of addedNodes) added.add(node);
    const isForeign = (node: Node | null): node is Element =>
      node instanceof Element &&
      added.has(node) &&
      node.isConnected &&
      (node.nodeName === "FONT" || !inserted.has(node));
    for (const { target, addedNodes, removedNodes, previousSibling, nextSibling } of records) {
      if (removedNodes.length === 0 && !hydrating) continue;
      // Editors handle their own nodes.
      if (target instanceof Element && target.closest("[contenteditable]") !== null) continue;
      for (const node of removedNodes) {
        const standIn = [...addedNodes, previousSibling, nextSibling].find(isForeign);
        const isOwn = removed.delete(node) && standIn?.nodeName !== "FONT";
        if (standIn === undefined || isOwn || node.isConnected) continue;
        changed = true;
        replace(node, standIn);
      }
      if (hydrating) for (const node of addedNodes) if (node instanceof Element) hold(node, target);
    }
  };
  const pages = new MutationObserver(read);
  pages.observe(document, { childList: true, subtree: true });

  /** Returns the child of `parent` that is, contains or replaces a node that `parent` has lost. */
  const placeIn = (parent: Node, node: Node): Node | null => {
    let place: Node | null = standIns.get(node) ?? node;
    while (place !== null && place.parentNode !== parent) place = place.parentNode;
    return place;
  };
  const isBack = (node: Node) => {
    const standIn = standIns.get(node);
    if (standIn !== undefined) putBack(standIn);
  };
  Node.prototype.appendChild = function append<T extends Node>(this: Node, node: T): T {
    isBack(node);
    inserted.add(node);
    return appendChild.call(this, node) as T;
  };
  Node.prototype.insertBefore = function insert<T extends Node>(
    this: Node,
    node: T,
    next: Node | null,
  ): T {
    let place = next;
    if (next instanceof Node && next.parentNode !== this) {
      read(pages.takeRecords());
      place = placeIn(this, next);
    }
    isBack(node);
    inserted.add(node);
    // Restoring a node may have removed the place.
    if (place instanceof Node && place.parentNode !== this) place = next && placeIn(this, next);
    return insertBefore.call(this, node, place) as T;
  };
  Node.prototype.removeChild = function remove<T extends Node>(this: Node, node: T): T {
    if (node instanceof Node && node.parentNode !== this) {
      read(pages.takeRecords());
      isBack(node);
      // A wrapper is removed together with the last node that it contains.
      let parent = node.parentNode;
      const isWrapped = placeIn(this, node) !== null;
      parent?.removeChild(node);
      while (isWrapped && parent !== null && parent !== this && !parent.hasChildNodes()) {
        const wrapper: Node = parent;
        parent = wrapper.parentNode;
        parent?.removeChild(wrapper);
      }
      return node;
    }
    removed.add(node);
    return removeChild.call(this, node) as T;
  };

  // React renders nodes that it cannot hydrate from its own state, but reports an error.
  addEventListener(
    "error",
    (event) => {
      if (!changed || !/Minified React error #(418|423|425)\b|Hydration failed/.test(event.message))
        return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  window.foreignNodes = {
    hydrated() {
      if (!hydrating) return;
      hydrating = false;
      for (const give of held.splice(0)) give();
    },
  };
}
