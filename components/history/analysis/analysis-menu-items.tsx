"use client";

import { Footprints, Glasses, ScrollText, Search } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { openSearch, setAnalysis } from "./analysis-state";

/** What a document's menu offers to understand how its text came about. */
export function AnalysisMenuItems() {
  return (
    <>
      <MenuItem icon={Glasses} onSelect={() => setAnalysis({ view: "authors", tinted: true })}>
        Authors
      </MenuItem>
      <MenuItem icon={Footprints} onSelect={() => setAnalysis({ view: "passage" })}>
        Passage history
      </MenuItem>
      <MenuItem icon={Search} onSelect={openSearch}>
        Search history…
      </MenuItem>
      <MenuItem icon={ScrollText} onSelect={() => setAnalysis({ view: "account", since: null })}>
        Summary of changes
      </MenuItem>
    </>
  );
}
