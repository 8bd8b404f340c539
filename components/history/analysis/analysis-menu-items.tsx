"use client";

import { Footprints, Glasses, ScrollText, Search } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { openSearch, setAnalysis } from "./model/analysis-state";

/** The menu closes first: opening the panel over a long text is work for a turn of its own. */
const behindMenu = (act: () => void) => () => void setTimeout(act);

/** What a document's menu offers to understand how its text came about. */
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
