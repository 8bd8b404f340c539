/** How long a finger stays, in milliseconds, and how far it may wander, in pixels. */
const longEnough = 500;
const stillness = 10;

/**
 * Hears of a finger that rests on an element; answers the end of it. `pressed` is asked when the
 * finger comes down: what it answers is done when the finger has stayed, and says whether anything
 * was; with null nothing is awaited.
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
  // The browser would select a word, offer what it does with a link, or take up what can be dragged.
  const instead = (event: Event) => {
    if (opened || from !== null) event.preventDefault();
  };
  // Lifted, it would put the caret there or follow a link.
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
