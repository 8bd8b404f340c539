/** A title typed before its field was ready, and the title that it replaces. */
export type EarlyTitle = { title: string; replaces: string; isComposing: boolean };

declare global {
  interface Window {
    earlyTitle?: {
      /**
       * Ends the capture in a title's field; returns what was typed there, on this page or on an
       * earlier one that ended.
       */
      take(field: HTMLElement): EarlyTitle | null;
    };
  }
}

/**
 * Makes the server-rendered title editable, and stores what is typed until the page takes it. Every
 * page runs it inline from the function's own source, before any script is fetched: it may not
 * refer to anything outside itself.
 */
export function captureEarlyTitle(): void {
  let field: HTMLElement | null = null;
  let replaces = "";
  let typed: string | null = null;
  let isKept = false;
  let isComposing = false;

  const textOf = () =>
    document.querySelector<HTMLElement>("#text[data-writer]:not([data-readonly])");
  const key = () => {
    const { writer, document: shown } = textOf()?.dataset ?? {};
    return writer === undefined || shown === undefined
      ? null
      : `palimpsest.early-title.${writer}.${shown}`;
  };
  const isField = ({ target }: Event) => field !== null && target === field;
  const keep = () => {
    const name = key();
    if (name === null) return;
    try {
      localStorage.setItem(name, JSON.stringify({ title: typed, replaces }));
      isKept = true;
    } catch {
      // Without storage the title is lost with the page.
    }
  };
  const left = (): EarlyTitle | null => {
    const name = key();
    if (name === null) return null;
    try {
      const found = localStorage.getItem(name);
      if (found === null) return null;
      localStorage.removeItem(name);
      const kept: unknown = JSON.parse(found);
      if (typeof kept !== "object" || kept === null) return null;
      if (!("title" in kept) || !("replaces" in kept)) return null;
      if (typeof kept.title !== "string" || typeof kept.replaces !== "string") return null;
      return { title: kept.title, replaces: kept.replaces, isComposing: false };
    } catch {
      // The stored value was not written by this product, or there is no storage.
      return null;
    }
  };

  document.addEventListener(
    "mousedown",
    ({ target }) => {
      const found =
        target instanceof Element
          ? target.closest("h1")?.querySelector<HTMLElement>("#title:not([role])")
          : null;
      if (!found || field === found || textOf() === null) return;
      field = found;
      replaces = field.textContent ?? "";
      field.setAttribute("contenteditable", "plaintext-only");
      // Firefox before 136 supports only the value "true".
      if (!field.isContentEditable) field.setAttribute("contenteditable", "true");
    },
    true,
  );
  document.addEventListener(
    "keydown",
    (event) => {
      if (isField(event) && event.key === "Enter" && !event.isComposing) event.preventDefault();
    },
    true,
  );
  document.addEventListener(
    "input",
    (event) => {
      if (!isField(event)) return;
      typed = field?.textContent ?? "";
      keep();
    },
    true,
  );
  for (const [kind, begins] of [
    ["compositionstart", true],
    ["compositionend", false],
  ] as const)
    document.addEventListener(
      kind,
      (event) => {
        if (isField(event)) isComposing = begins;
      },
      true,
    );

  window.earlyTitle = {
    take(taken) {
      const kept = left();
      // Another tab that opened the document meanwhile has it in its title.
      const isTaken = isKept && kept === null;
      const title = field === taken && !isTaken ? typed : null;
      [field, typed, isKept] = [null, null, false];
      return title === null ? kept : { title, replaces, isComposing };
    },
  };
}
