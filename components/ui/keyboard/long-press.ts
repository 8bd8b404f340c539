/** The duration of a long press in ms, and the tolerated movement in px. */
const longEnough = 500;
const stillness = 10;

/**
 * Watches for long presses on an element. `pressed` is called on pointerdown and returns the action
 * to run after the duration, or null to ignore the press. The action returns whether it did
 * anything. Returns the function that stops watching.
 */
export function watchLongPresses(
  element: HTMLElement,
  pressed: (event: PointerEvent) => (() => boolean) | null,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let from: { x: number; y: number } | null = null;
  let opened = false;
  const end = () => {
    clearTimeout(timer);
    from = null;
  };
  const down = (event: PointerEvent) => {
    end();
    opened = false;
    const open = event.pointerType === "touch" && event.isPrimary ? pressed(event) : null;
    if (open === null) return;
    from = { x: event.clientX, y: event.clientY };
    timer = setTimeout(() => (opened = open()), longEnough);
  };
  const move = ({ clientX, clientY }: PointerEvent) => {
    if (from && Math.hypot(clientX - from.x, clientY - from.y) > stillness) end();
  };
  // Prevents the browser's own word selection, link menu or drag.
  const instead = (event: Event) => {
    if (opened || from !== null) event.preventDefault();
  };
  // Otherwise, lifting the finger would move the caret or follow a link.
  const lifted = (event: Event) => {
    if (opened) event.preventDefault();
    end();
  };
  element.addEventListener("pointerdown", down, { signal });
  element.addEventListener("pointermove", move, { signal });
  element.addEventListener("pointercancel", end, { signal });
  element.addEventListener("contextmenu", instead, { signal });
  element.addEventListener("dragstart", instead, { signal, capture: true });
  element.addEventListener("touchend", lifted, { signal });
  return () => {
    end();
    stop.abort();
  };
}
