import { useEffect } from "react";

const typingBeforeFading = 2_000;
const pauseThatEnds = 1_500;
const waking = ["pointermove", "pointerdown", "wheel"] as const;

/**
 * Fades the controls around the text after two seconds of typing. The pointer, Tab, F6 or Escape
 * show them again.
 */
export function useFading(): void {
  useEffect(() => {
    const page = document.documentElement;
    let began = 0;
    let last = 0;
    const wake = () => {
      began = 0;
      delete page.dataset.typing;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === "Tab" || event.key === "F6" || event.key === "Escape") return wake();
      const typing = event.target instanceof Element && event.target.closest("#text") !== null;
      if (
        !typing ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        (event.key.length > 1 && event.key !== "Backspace")
      )
        return;
      const now = event.timeStamp;
      if (began === 0 || now - last > pauseThatEnds) began = now;
      last = now;
      if (now - began >= typingBeforeFading) page.dataset.typing = "";
    };
    document.addEventListener("keydown", onKeyDown, true);
    for (const kind of waking) document.addEventListener(kind, wake, { passive: true });
    return () => {
      wake();
      document.removeEventListener("keydown", onKeyDown, true);
      for (const kind of waking) document.removeEventListener(kind, wake);
    };
  }, []);
}
