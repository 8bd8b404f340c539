import { useEffect } from "react";
import { setAnalysis, useAnalysis } from "./analysis-state";

/**
 * Prints the page once the view to print shows all its rows. Returns whether printing was
 * requested.
 */
export function usePrinting(isComplete: boolean): boolean {
  const { printing } = useAnalysis();
  useEffect(() => {
    if (!printing || !isComplete) return;
    window.print();
    setAnalysis({ printing: false });
  }, [printing, isComplete]);
  return printing;
}
