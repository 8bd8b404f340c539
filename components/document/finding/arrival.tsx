"use client";

import { useEffect, useState } from "react";
import { useToast } from "@/components/ui/toast";
import { markFound, unmarkFound } from "./found-marks";

type Props = {
  /**
   * The page's query. `find` holds words to mark, `passage` the text around the words, and `thread`
   * the id of a comment thread.
   */
  query: string;
  onThread: (thread: string) => void;
};

const gone =
  "These words don’t stand in the text any more. “Ever written” in the search finds what was deleted.";

/** Shows the words or the thread that a search result links to. */
export function Arrival({ query, onThread }: Props) {
  const toast = useToast();
  const [found, setFound] = useState(0);
  useEffect(() => {
    const parameters = new URLSearchParams(query);
    const [words, thread] = [parameters.get("find") ?? "", parameters.get("thread")];
    if (thread !== null) onThread(thread);
    const text = document.getElementById("text");
    if (words === "" || !text) return;
    const frame = requestAnimationFrame(() => {
      const marked = markFound(text, words, parameters.get("passage") ?? "");
      setFound(marked);
      if (marked === 0) toast({ text: gone });
    });
    const onKey = (event: KeyboardEvent) => event.key === "Escape" && unmarkFound();
    addEventListener("keydown", onKey);
    text.addEventListener("input", unmarkFound);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("keydown", onKey);
      text.removeEventListener("input", unmarkFound);
      unmarkFound();
    };
  }, [query, onThread, toast]);
  return (
    <p role="status" className="sr">
      {found > 0 &&
        "The words you searched for are marked in the text. Escape takes the marks away."}
    </p>
  );
}
