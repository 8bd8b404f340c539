"use client";

import { Footprints, Glasses, ScrollText, Search } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { openSearch, setAnalysis } from "./model/analysis-state";

/** Runs an action in its own task after the menu closes: the panel may open over a long text. */
const behindMenu = (act: () => void) => () => void setTimeout(act);

/** Renders the items of a document's menu that open the analysis. */
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
