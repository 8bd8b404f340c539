"use client";

import { Printer, X } from "lucide-react";
import { useEffect, useRef } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Segmented } from "@/components/ui/forms/segmented";
import { setAnalysis, useAnalysis } from "./model/analysis-state";
import type { AnalysisView } from "./model/analysis-state";
import styles from "./analysis.module.css";

const views = [
  { value: "authors", label: "Authors" },
  { value: "passage", label: "Passage" },
  { value: "search", label: "Search" },
  { value: "account", label: "Account" },
] as const satisfies { value: AnalysisView; label: string }[];

type Props = { view: AnalysisView; children: ReactNode };

/** Renders the analysis panel beside the text, or as a bottom sheet on phones. */
export function AnalysisPanel({ view, children }: Props) {
  const close = () => setAnalysis({ view: null });
  const panel = useRef<HTMLElement>(null);
  const opened = useRef(view);
  const { searches } = useAnalysis();
  const answered = useRef(searches);
  useEffect(() => {
    if (answered.current === searches) return;
    answered.current = searches;
    // The closing menu returns its focus first, and the field mounts together with the view.
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
    // The search field mounts a little later than the panel. If the reader has moved the focus
    // meanwhile, it stays.
    const field = new MutationObserver(() => {
      if (
        document.activeElement !== element?.querySelector("input:checked") ||
        begin("input[type=search]")
      )
        field.disconnect();
    });
    // A closing menu returns its focus first.
    const frame = requestAnimationFrame(() => {
      if (opened.current === "search" && begin("input[type=search]")) return;
      begin("input:checked");
      if (opened.current === "search" && element)
        field.observe(element, { childList: true, subtree: true });
    });
    return () => {
      cancelAnimationFrame(frame);
      field.disconnect();
      // Restores the earlier focus only if the focus would be lost.
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
    // The player's keys do not work in the panel.
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
