/** A title that was typed before its field was ready, and the title that it replaces. */
type EarlyTitle = {
  title: string;
  replaces: string;
  isComposing: boolean;
  /** The storage key of the title on this device, or null if it is not stored. */
  key: string | null;
};

declare global {
  interface Window {
    earlyTitle?: {
      /**
       * Ends the capture in a title's field. Returns the titles typed there on this page and on
       * earlier pages that ended. The device keeps the titles until they are recorded.
       */
      take(field: HTMLElement): EarlyTitle[];
    };
  }
}

/**
 * Makes the server-rendered title editable, and stores the typed words until the page reads them.
 * Every page inlines the function's source, which runs before any script is fetched. The function
 * may not refer to anything outside itself.
 */
export function captureEarlyTitle(): void {
  const page = Math.random().toString(36).slice(2);
  let field: HTMLElement | null = null;
  let replaces = "";
  let typed: string | null = null;
  let isKept = false;
  let isComposing = false;

  const textOf = () =>
    document.querySelector<HTMLElement>("#text[data-writer]:not([data-readonly])");
  /** Returns the common beginning of all pages' keys. */
  const keys = () => {
    const { writer, document: shown } = textOf()?.dataset ?? {};
    return writer === undefined || shown === undefined
      ? null
      : `palimpsest.early-title.${writer}.${shown}`;
  };
  const isField = ({ target }: Event) => field !== null && target === field;
  const keep = () => {
    const begin = keys();
    if (begin === null) return;
    try {
      localStorage.setItem(`${begin}.${page}`, JSON.stringify({ title: typed, replaces }));
      isKept = true;
    } catch {
      // Without storage, the title is lost with the page.
    }
  };
  const kept = (key: string): EarlyTitle[] => {
    try {
      const found: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
      if (typeof found !== "object" || found === null) return [];
      if (!("title" in found) || !("replaces" in found)) return [];
      if (typeof found.title !== "string" || typeof found.replaces !== "string") return [];
      const isOwn = key.endsWith(page);
      const { title, replaces } = found;
      return [{ title, replaces, key, isComposing: isOwn && isComposing }];
    } catch {
      // A value that cannot be parsed was not written by this product.
      return [];
    }
  };
  const allKept = (): EarlyTitle[] => {
    const begin = keys();
    try {
      if (begin === null) return [];
      return Object.keys(localStorage)
        .filter((key) => key.startsWith(begin))
        .flatMap(kept);
    } catch {
      // Storage may be forbidden.
      return [];
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
      const found = allKept();
      // If the device no longer has a stored title, another tab has recorded the title.
      if (field === taken && typed !== null && !isKept)
        found.push({ title: typed, replaces, isComposing, key: null });
      [field, typed, isKept] = [null, null, false];
      return found;
    },
  };
}
