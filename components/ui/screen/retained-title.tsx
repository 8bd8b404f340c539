"use client";

import { useEffect } from "react";

/**
 * Keeps the last window title while Next has none. During a navigation or refresh, Next removes the
 * old `<title>` before it inserts the new one. On a slow machine this gap is long enough for screen
 * readers to name the page by its URL.
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
    // Mutation observers run before the next frame is drawn.
    const observer = new MutationObserver(look);
    observer.observe(document.head, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      retained?.remove();
    };
  }, []);
  return null;
}
