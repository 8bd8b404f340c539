"use client";

import { Footprints, Glasses, ScrollText, Search } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { openSearch, setAnalysis } from "./model/analysis-state";

/** Lets the menu close first: opening the panel over a long text needs its own task. */
const behindMenu = (act: () => void) => () => void setTimeout(act);

/** The items of a document's menu that open the analysis. */
export function AnalysisMenuItems() {
  return (
    <>
      <MenuItem
        icon={Glasses}
        onSelect={behindMenu(() => setAnalysis({ view: "authors", tinted: true }))}
      >
        Authors
      </MenuItem>
      <MenuItem icon={Footprints} onSelect={behindMenu(() => setAnalysis({ view: "passage" }))}>
        Passage history
      </MenuItem>
      <MenuItem icon={Search} onSelect={behindMenu(openSearch)}>
        Search history…
      </MenuItem>
      <MenuItem
        icon={ScrollText}
        onSelect={behindMenu(() => setAnalysis({ view: "account", since: null }))}
      >
        Summary of changes
      </MenuItem>
    </>
  );
}
