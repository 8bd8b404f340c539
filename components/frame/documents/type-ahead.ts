/** The maximum duration of a capture, in ms. */
const longestMs = 20_000;

type TypeAhead = {
  /** Ends the capture and returns the typed text. */
  end: () => string;
  /** Returns the text typed so far. */
  typed: () => string;
};

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select"));

/**
 * Captures typing while the intended field still loads. Otherwise the first letters would press the
 * focused button or be lost. The capture ends by itself when the person clicks, presses Tab or
 * Escape, or types in a field.
 */
export function beginTypeAhead(): TypeAhead {
  let typed = "";
  const onKey = (event: KeyboardEvent) => {
    if (isField(event.target)) return stop();
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.key === "Escape" || event.key === "Tab") return stop();
    if (event.key === "Backspace") typed = [...typed].slice(0, -1).join("");
    else if (event.key === "Enter") typed += " ";
    else if ([...event.key].length === 1) typed += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const stop = () => {
    clearTimeout(timer);
    removeEventListener("keydown", onKey, true);
    removeEventListener("pointerdown", stop, true);
  };
  const timer = setTimeout(stop, longestMs);
  addEventListener("keydown", onKey, true);
  addEventListener("pointerdown", stop, true);
  return {
    typed: () => typed,
    end() {
      stop();
      return typed;
    },
  };
}
