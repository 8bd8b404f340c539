"use client";

import { Printer, X } from "lucide-react";
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Segmented } from "@/components/ui/forms/segmented";
import { setAnalysis, useAnalysis, type AnalysisView } from "./model/analysis-state";
import styles from "./analysis.module.css";

const views = [
  { value: "authors", label: "Authors" },
  { value: "passage", label: "Passage" },
  { value: "search", label: "Search" },
  { value: "account", label: "Account" },
] as const satisfies { value: AnalysisView; label: string }[];

type Props = { view: AnalysisView; children: ReactNode };

/** The panel beside the text that tells how the text came about; on a phone a sheet at the bottom. */
export function AnalysisPanel({ view, children }: Props) {
  const close = () => setAnalysis({ view: null });
  const panel = useRef<HTMLElement>(null);
  const opened = useRef(view);
  const { searches } = useAnalysis();
  const answered = useRef(searches);
  useEffect(() => {
    if (answered.current === searches) return;
    answered.current = searches;
    // The menu that asked gives its focus back first, and its field comes with the view.
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() =>
        panel.current
          ?.querySelector<HTMLElement>("input[type=search]")
          ?.focus({ preventScroll: true }),
      );
    });
    return () => cancelAnimationFrame(frame);
  }, [searches]);
  useEffect(() => {
    const before = document.activeElement;
    const element = panel.current;
    const begin = (place: string) => {
      const found = element?.querySelector<HTMLElement>(place);
      found?.focus({ preventScroll: true });
      return found !== null && found !== undefined;
    };
    // The field to search in comes a little later than the panel; who meanwhile went elsewhere in it is left there.
    const field = new MutationObserver(() => {
      if (
        document.activeElement !== element?.querySelector("input:checked") ||
        begin("input[type=search]")
      )
        field.disconnect();
    });
    // A menu that closes gives its focus back first.
    const frame = requestAnimationFrame(() => {
      if (opened.current === "search" && begin("input[type=search]")) return;
      begin("input:checked");
      if (opened.current === "search" && element)
        field.observe(element, { childList: true, subtree: true });
    });
    return () => {
      cancelAnimationFrame(frame);
      field.disconnect();
      // Only a focus that would be lost goes back to where it was.
      const losesFocus =
        element?.contains(document.activeElement) || document.activeElement === document.body;
      if (losesFocus && before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const listen = (event: KeyboardEvent) => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
  };
  return (
    // Its keys are its own: the player's do not work in it.
    <aside
      ref={panel}
      className={styles.panel}
      aria-label="Statistics"
      data-landmark
      data-own-keys
      tabIndex={-1}
      onKeyDown={listen}
    >
      <header className={styles.head}>
        <Segmented
          label="What to tell"
          value={view}
          options={views}
          onChange={(next) => setAnalysis({ view: next })}
        />
        <Button look="quiet" icon aria-label="Close statistics" onClick={close}>
          <Icon of={X} />
        </Button>
      </header>
      <div className={styles.body}>
        {view !== "search" && (
          <div className={styles.print}>
            <Button
              look="quiet"
              icon
              aria-label="Print"
              onClick={() => setAnalysis({ printing: true })}
            >
              <Icon of={Printer} />
            </Button>
          </div>
        )}
        {children}
      </div>
    </aside>
  );
}
