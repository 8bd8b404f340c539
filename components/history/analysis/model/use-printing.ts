import { useEffect } from "react";
import { setAnalysis, useAnalysis } from "./analysis-state";

/** Prints the page once a view that was asked to print shows all its rows; answers whether it was asked. */
export function usePrinting(isComplete: boolean): boolean {
  const { printing } = useAnalysis();
  useEffect(() => {
    if (!printing || !isComplete) return;
    window.print();
    setAnalysis({ printing: false });
  }, [printing, isComplete]);
  return printing;
}
