import type { Page } from "playwright";

/**
 * Acts like Chrome's translator: replaces each text node by its translation in two `<font>`
 * elements, and continues with later nodes. Here a translation is the words in angle quotes. A
 * `rude` translator ignores `translate="no"` and text being edited, as extensions do.
 */
function translate(rude: boolean): void {
  const kept = `script, style, noscript, textarea, title, font${
    rude ? "" : ', [translate="no"], .notranslate'
  }`;
  const isWords = (node: Node): node is Text =>
    node instanceof Text &&
    /\p{L}/u.test(node.data) &&
    node.parentElement !== null &&
    node.parentElement.closest(kept) === null;
  const replace = (text: Text) => {
    const [outer, inner] = [document.createElement("font"), document.createElement("font")];
    for (const font of [outer, inner]) font.style.verticalAlign = "inherit";
    inner.textContent = `‹${text.data}›`;
    outer.append(inner);
    text.parentNode?.replaceChild(outer, text);
  };
  const walk = (root: Node) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const found: Node[] = [root];
    while (walker.nextNode()) found.push(walker.currentNode);
    for (const node of found) if (isWords(node)) replace(node);
  };
  walk(document.body);
  new MutationObserver((records) => {
    for (const { target, addedNodes } of records)
      for (const node of addedNodes.length > 0 ? addedNodes : [target])
        if (node.isConnected && (node.nodeType !== 1 || node !== target)) walk(node);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

/**
 * Acts like a grammar checker: marks editable elements, and inserts elements into and beside them.
 */
function checkGrammar(): void {
  const mark = () => {
    for (const field of document.querySelectorAll<HTMLElement>(
      '[contenteditable="true"], textarea',
    )) {
      if (field.hasAttribute("data-gramm")) continue;
      field.setAttribute("data-gramm", "false");
      field.setAttribute("data-lt-tmp-id", "lt-1");
      const beside = document.createElement("grammarly-extension");
      beside.attachShadow({ mode: "open" });
      field.after(beside);
      for (const block of field.querySelectorAll("p, h2")) {
        const wrong = document.createElement("g-mark");
        wrong.className = "gr_ gr-alert";
        const text = block.firstChild;
        if (!(text instanceof Text) || text.length < 4) continue;
        const end = text.splitText(3);
        wrong.append(text.data);
        text.replaceWith(wrong);
        end.after(document.createElement("g-card"));
      }
    }
  };
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}

/** Acts like a password manager: adds attributes and buttons to every field, and a layer. */
function keepPasswords(): void {
  const mark = () => {
    for (const field of document.querySelectorAll("input, form")) {
      if (field.hasAttribute("data-lastpass")) continue;
      field.setAttribute("data-lastpass", "1");
      field.setAttribute("data-1p-ignore", "");
      if (field instanceof HTMLInputElement) field.style.backgroundImage = "none";
      const icon = document.createElement("div");
      icon.setAttribute("data-lastpass-icon-root", "");
      if (field instanceof HTMLFormElement) field.prepend(icon);
      else field.after(icon);
    }
  };
  document.documentElement.append(document.createElement("com-1password-notification"));
  mark();
  new MutationObserver(mark).observe(document.body, { childList: true, subtree: true });
}

/** Third-party scripts that change a page. */
export const foreignScripts = {
  translator: `(${translate.toString()})(false)`,
  "rude translator": `(${translate.toString()})(true)`,
  "grammar checker": `(${checkGrammar.toString()})()`,
  "password manager": `(${keepPasswords.toString()})()`,
};

export type ForeignScript = keyof typeof foreignScripts;

/**
 * Runs such scripts in the open document. Like browsers, it runs them in an isolated world, beside
 * the page's own scripts.
 */
export async function runForeign(page: Page, names: readonly ForeignScript[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
    worldName: "an extension",
  });
  for (const name of names) {
    const { exceptionDetails } = await session.send("Runtime.evaluate", {
      contextId: executionContextId,
      expression: foreignScripts[name],
    });
    if (exceptionDetails) throw new Error(`${name}: ${exceptionDetails.text}`);
  }
}

/** Runs such scripts in every document that the page opens, as soon as the HTML is parsed. */
export async function installForeign(page: Page, names: readonly ForeignScript[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send("Page.enable");
  await session.send("Page.addScriptToEvaluateOnNewDocument", {
    worldName: "an extension",
    source: `document.addEventListener("DOMContentLoaded", () => { ${names
      .map((name) => foreignScripts[name])
      .join("; ")} })`,
  });
}
