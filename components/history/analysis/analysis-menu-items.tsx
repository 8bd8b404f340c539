"use client";

import { Footprints, Glasses, ScrollText, Search } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { setAnalysis } from "./analysis-state";

/** What a document's menu offers to understand how its text came about. */
export function AnalysisMenuItems() {
  return (
    <>
      <MenuItem icon={Glasses} onSelect={() => setAnalysis({ view: "authors", tinted: true })}>
        Who wrote this
      </MenuItem>
      <MenuItem icon={Footprints} onSelect={() => setAnalysis({ view: "passage" })}>
        Life of a passage
      </MenuItem>
      <MenuItem icon={Search} onSelect={() => setAnalysis({ view: "search" })}>
        Search through time…
      </MenuItem>
      <MenuItem icon={ScrollText} onSelect={() => setAnalysis({ view: "account", since: null })}>
        Written account
      </MenuItem>
    </>
  );
}
