/**
 * A position in an element, as a path of child indexes. It stays valid when React renders the same
 * text again.
 */
export type Place = { path: number[]; offset: number };

/** Clipboard data: its strings by MIME type, and its files. */
export type EarlyPaste = { strings: Record<string, string>; files: File[] };

/** Typed letters, a new line, or a paste. */
export type EarlyPiece = string | { enter: true } | EarlyPaste;

/** The input at one position of a text before its editor was ready. */
export type EarlyGroup = {
  /** The selection that the input replaces. Both are null if the text had no selection. */
  from: Place | null;
  to: Place | null;
  /** The text of the block at that position, by which a later page recognises the block. */
  words: string;
  /** The number of letters before the position that Backspace deleted. */
  deleted: number;
  /** Whether Backspace deleted the selection. */
  removed: boolean;
  pieces: EarlyPiece[];
};

/** All input into a text before its editor was ready. */
export type EarlyWriting = {
  groups: EarlyGroup[];
  /** The caret, or null if it was outside the text. */
  place: Place | null;
  /** Whether the text still has focus. */
  stays: boolean;
  /** The key under which the device keeps the input, or null if the device does not keep it. */
  key: string | null;
  /** Lets other tabs take over the input that the device still keeps under the key. */
  release(): void;
};

type EarlyCapture = {
  /** Ends the capture in a text. Returns its input, or null without input. */
  take(host: HTMLElement): EarlyWriting | null;
  /** Ends the capture in a text that the person leaves, and stores its input on the device. */
  leave(): void;
  /** Returns the keys under which the device keeps a person's input from other pages. */
  left(userId: string, documentId: string): string[];
  /** Whether the person is typing in the text or has placed the caret in it. */
  isUsed(): boolean;
  /** Resolves once no composition is open. */
  settled(): Promise<void>;
};

declare global {
  interface Window {
    earlyWriting?: EarlyCapture;
  }
}

/**
 * Captures input into the server-rendered text. Every page runs this function inline from its own
 * source, before any script is fetched, so it may not refer to anything outside itself.
 *
 * A click or a key opens a small editable field at the caret, in which the browser's own typing,
 * composing and deleting work. Enter and pastes become marks between such fields.
 */
export function captureEarlyWriting(): void {
  type Part = { element: HTMLElement; paste: EarlyPaste | null };
  type Group = Omit<EarlyGroup, "pieces"> & { key: string; parts: Part[] };
  const page = Math.random().toString(36).slice(2);
  // Insecure origins have no `navigator.locks`, contrary to the types.
  const locks: LockManager | undefined = navigator.locks;
  let leavings = 0;
  const early = "data-early";
  let groups: Group[] = [];
  let kept: string | null = null;
  let taken: string | null = null;
  let unlock = () => {};
  let composing = false;
  let waiting: (() => void)[] = [];

  const hostOf = (node: EventTarget | null): HTMLElement | null =>
    node instanceof Element
      ? node.closest<HTMLElement>("#text[data-writer]:not([contenteditable]):not([data-readonly])")
      : null;
  const isEarly = (node: Node): boolean => node instanceof Element && node.hasAttribute(early);
  const isText = (node: Node | null): boolean => node?.nodeType === 3;
  const caretTo = (node: Node, offset: number) => getSelection()?.collapse(node, offset);

  /**
   * Returns the children without our fields. `joined` means that the child continues the text node
   * before it, which a field has split.
   */
  const runsOf = (parent: Node) => {
    const own = [...parent.childNodes].filter((child) => !isEarly(child));
    return own.map((node, at) => ({ node, joined: isText(node) && isText(own[at - 1] ?? null) }));
  };
  const placeOf = (host: HTMLElement, node: Node, at: number): Place => {
    const path: number[] = [];
    let offset = at;
    if (node.nodeType !== 3) {
      const before = new Set([...node.childNodes].slice(0, at));
      offset = runsOf(node).filter(
        ({ node: child, joined }) => before.has(child) && !joined,
      ).length;
    }
    for (let child = node; child !== host && child.parentNode; child = child.parentNode) {
      const runs = runsOf(child.parentNode);
      let index = runs.findIndex((run) => run.node === child);
      for (; runs[index]?.joined === true; index -= 1)
        if (child === node) offset += runs[index - 1]?.node.textContent?.length ?? 0;
      path.unshift(runs.slice(0, index).filter(({ joined }) => !joined).length);
    }
    return { path, offset };
  };

  const fieldWith = (words: string): Part => {
    const element = document.createElement("span");
    element.setAttribute(early, "");
    element.setAttribute("contenteditable", "plaintext-only");
    // Firefox before 136 supports only the value "true".
    if (!element.isContentEditable) element.setAttribute("contenteditable", "true");
    element.setAttribute("role", "textbox");
    element.setAttribute("aria-label", "Text");
    element.style.cssText = "white-space: pre-wrap; outline: none; min-width: 1px";
    element.textContent = words;
    return { element, paste: null };
  };
  const markOf = (paste: EarlyPaste | null): Part => {
    const element = document.createElement("span");
    element.setAttribute(early, "");
    element.style.whiteSpace = "pre-wrap";
    if (paste === null) element.append(document.createElement("br"));
    else element.textContent = paste.strings["text/plain"] ?? "";
    return { element, paste };
  };
  const isField = ({ element }: Part): boolean => element.hasAttribute("contenteditable");
  const isEmpty = ({ parts, deleted, removed }: Group): boolean =>
    deleted === 0 && !removed && parts.every((part) => isField(part) && !part.element.textContent);
  const remove = (group: Group) => {
    for (const { element } of group.parts) {
      const { parentNode } = element;
      element.remove();
      parentNode?.normalize();
    }
  };
  /** The focused field and its group. */
  const current = (): { group: Group; at: number; field: HTMLElement } | null => {
    for (const group of groups) {
      const at = group.parts.findIndex(({ element }) => element === document.activeElement);
      const field = group.parts[at]?.element;
      if (field !== undefined) return { group, at, field };
    }
    return null;
  };

  /** Removes empty fields, because a field inside a word would split a double-click selection. */
  const close = () => {
    for (const group of groups.filter(isEmpty)) remove(group);
    groups = groups.filter((group) => !isEmpty(group));
  };
  const open = (host: HTMLElement): Group => {
    close();
    const selection = getSelection();
    let range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null;
    const chosen = range !== null && host.contains(range.commonAncestorContainer);
    if (range === null || !chosen) {
      range = document.createRange();
      range.setStart(host.querySelector("p, h1, h2, h3, h4, h5, h6, pre") ?? host, 0);
    }
    const to = placeOf(host, range.endContainer, range.endOffset);
    const block = host.children[to.path[0] ?? 0]?.cloneNode(true);
    if (block instanceof Element)
      for (const own of block.querySelectorAll(`[${early}]`)) own.remove();
    const field = fieldWith("");
    const group: Group = {
      from: chosen ? placeOf(host, range.startContainer, range.startOffset) : null,
      to: chosen ? to : null,
      words: block?.textContent ?? "",
      deleted: 0,
      removed: false,
      key: `palimpsest.early.${host.dataset["writer"]}.${host.dataset["document"]}.${page}${leavings}`,
      parts: [field],
    };
    const at = range.cloneRange();
    at.collapse(false);
    at.insertNode(field.element);
    groups.push(group);
    field.element.focus({ preventScroll: true });
    caretTo(field.element, 0);
    return group;
  };

  /** Inserts a mark at the caret, which splits the field there. */
  const insert = ({ group, at, field }: NonNullable<ReturnType<typeof current>>, mark: Part) => {
    const selection = getSelection();
    if (selection !== null && !selection.isCollapsed) selection.deleteFromDocument();
    const words = field.textContent ?? "";
    const before = document.createRange();
    before.selectNodeContents(field);
    if (selection?.focusNode && field.contains(selection.focusNode))
      before.setEnd(selection.focusNode, selection.focusOffset);
    const { length } = before.toString();
    const next = fieldWith(words.slice(length));
    field.textContent = words.slice(0, length);
    group.parts.splice(at + 1, 0, mark, next);
    field.after(mark.element, next.element);
    next.element.focus({ preventScroll: true });
    caretTo(next.element, 0);
  };

  /** Deletes the mark before the caret. Without a mark, counts a letter before the position. */
  const backspace = ({ group, at, field }: NonNullable<ReturnType<typeof current>>) => {
    const [before, mark] = [group.parts[at - 2], group.parts[at - 1]];
    if (before === undefined || mark === undefined) {
      group.deleted += 1;
      return;
    }
    const length = before.element.textContent?.length ?? 0;
    before.element.textContent += field.textContent ?? "";
    group.parts.splice(at - 1, 2);
    mark.element.remove();
    field.remove();
    before.element.focus({ preventScroll: true });
    const { firstChild } = before.element;
    if (firstChild) caretTo(firstChild, length);
  };
  const isAtStart = (field: HTMLElement): boolean => {
    const selection = getSelection();
    if (selection === null || !selection.isCollapsed || selection.rangeCount === 0) return false;
    const before = document.createRange();
    before.selectNodeContents(field);
    before.setEnd(selection.getRangeAt(0).startContainer, selection.getRangeAt(0).startOffset);
    return before.toString() === "";
  };

  document.addEventListener(
    "mousedown",
    ({ target }) => {
      if (hostOf(target) !== null) close();
    },
    true,
  );
  document.addEventListener(
    "click",
    ({ target }) => {
      const host = hostOf(target);
      if (host === null || !(target instanceof Element)) return;
      if (target.closest(`[${early}], a, input, button`) === null && getSelection()?.isCollapsed)
        open(host);
    },
    true,
  );
  document.addEventListener(
    "keydown",
    (event) => {
      const { key, target } = event;
      const host = hostOf(target);
      if (host === null || event.ctrlKey || event.metaKey || event.altKey) return;
      const enter = key === "Enter";
      const back = key === "Backspace";
      if (event.isComposing || !(key.length === 1 || enter || back || key === "Process")) return;
      if (current() === null) {
        if (target !== host) return;
        const selection = getSelection();
        const ranged = selection !== null && !selection.isCollapsed;
        const group = open(host);
        if (back && ranged && group.to !== null) {
          group.removed = true;
          event.preventDefault();
          return;
        }
      }
      const here = current();
      if (here === null) return;
      if (enter) insert(here, markOf(null));
      else if (back && isAtStart(here.field)) backspace(here);
      else return;
      event.preventDefault();
    },
    true,
  );
  document.addEventListener(
    "paste",
    (event) => {
      const host = hostOf(document.activeElement);
      const data = event.clipboardData;
      if (host === null || data === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (current() === null) open(host);
      const here = current();
      const strings: Record<string, string> = {};
      for (const type of data.types) if (type !== "Files") strings[type] = data.getData(type);
      if (here !== null) insert(here, markOf({ strings, files: [...data.files] }));
    },
    true,
  );
  document.addEventListener("compositionstart", ({ target }) => {
    composing = hostOf(target) !== null;
  });
  document.addEventListener("compositionend", () => {
    composing = false;
    // The field contains the letters once this event has ended.
    setTimeout(() => {
      for (const go of waiting) go();
      waiting = [];
    });
  });

  const written = (): EarlyGroup[] =>
    groups
      .filter((group) => !isEmpty(group))
      .map(({ from, to, words, deleted, removed, parts }) => {
        const pieces = parts.map((part): EarlyPiece => {
          if (isField(part)) return part.element.textContent ?? "";
          return part.paste ?? { enter: true };
        });
        return {
          from,
          to,
          words,
          deleted,
          removed,
          pieces: pieces.filter((piece) => piece !== ""),
        };
      });
  const forget = () => {
    if (kept !== null) localStorage.removeItem(kept);
    kept = null;
    unlock();
  };
  /**
   * Other tabs wait for this lock before they take over the input. The browser releases it when the
   * page dies.
   */
  const lock = (key: string) => {
    unlock();
    const released = new Promise<void>((resolve) => (unlock = resolve));
    void locks?.request(key, () => released);
  };
  const keep = () => {
    const [first] = groups;
    const found = written();
    try {
      if (first === undefined || found.length === 0) {
        if (groups.length > 0) forget();
        return;
      }
      if (kept !== first.key) {
        forget();
        lock(first.key);
      }
      localStorage.setItem(first.key, JSON.stringify(found));
      kept = first.key;
    } catch {
      // Without storage the input is lost with the page.
    }
  };
  addEventListener("pagehide", keep);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "hidden") keep();
  });
  // A process may be killed, or may end without running its pagehide listeners.
  const keepSoon = ({ target }: Event) => {
    if (locks !== undefined && hostOf(target) !== null) setTimeout(keep);
  };
  for (const kind of ["input", "keydown", "paste"]) addEventListener(kind, keepSoon, true);

  window.earlyWriting = {
    leave() {
      keep();
      groups = [];
      kept = null;
      leavings += 1;
      unlock();
    },
    left(userId, documentId) {
      try {
        const begin = `palimpsest.early.${userId}.${documentId}.`;
        return Object.keys(localStorage).filter(
          (key) => key.startsWith(begin) && key !== kept && key !== taken,
        );
      } catch {
        return [];
      }
    },
    isUsed: () => groups.length > 0 || hostOf(document.activeElement) !== null,
    settled: () =>
      composing ? new Promise((resolve) => waiting.push(() => resolve())) : Promise.resolve(),
    take(host) {
      const stays = host.contains(document.activeElement);
      const here = current()?.group;
      const selection = getSelection();
      let place = here?.to ?? null;
      if (here === undefined && selection?.focusNode && host.contains(selection.focusNode))
        place = placeOf(host, selection.focusNode, selection.focusOffset);
      // Another tab that opened the document meanwhile has already written the input into its text.
      const isTaken = kept !== null && localStorage.getItem(kept)?.startsWith("[") !== true;
      const found = isTaken ? [] : written();
      for (const group of groups) remove(group);
      groups = [];
      if (found.length === 0 && !isTaken) forget();
      const [key, release] = [isTaken ? null : kept, unlock];
      taken = key;
      kept = null;
      unlock = () => {};
      // A later input of this page must not replace an input that the device still keeps.
      leavings += 1;
      if (key === null) release();
      return stays || found.length > 0 ? { groups: found, place, stays, key, release } : null;
    },
  };
}
