/** After so long nobody waits for a field any more. */
const longestMs = 20_000;

type TypeAhead = {
  /** Ends it, and answers what was typed meanwhile. */
  end: () => string;
  /** What was typed so far. */
  typed: () => string;
};

const isField = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select"));

/**
 * Keeps what somebody types while the field that they mean it for is on its way; without this the
 * first letters would press the button that has the focus, or be lost. Ends by itself where they
 * turn to something else.
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
