"use client";

import { useEffect } from "react";

/**
 * Keeps the last title of the window while Next has none: during a navigation or a refresh the old
 * `<title>` leaves the page before the new one comes, on a slow machine for some tenths of a
 * second, and a screen reader then names the page by its address.
 */
export function RetainedTitle() {
  useEffect(() => {
    let last = document.title;
    let retained: HTMLTitleElement | null = null;
    const look = () => {
      if (document.head.querySelector("title:not([data-kept])")) {
        retained?.remove();
        retained = null;
        last = document.title;
      } else if (!retained) {
        retained = document.createElement("title");
        retained.dataset["kept"] = "";
        retained.textContent = last;
        document.head.append(retained);
      }
    };
    // An observer is told before the next frame is drawn.
    const observer = new MutationObserver(look);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      retained?.remove();
    };
  }, []);
  return null;
}
