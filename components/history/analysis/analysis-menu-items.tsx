"use client";

import { Footprints, Glasses, ScrollText, Search } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { setInsight } from "./analysis-state";

/** What a document's menu offers to understand how its text came about. */
export function InsightMenuItems() {
  return (
    <>
      <MenuItem icon={Glasses} onSelect={() => setInsight({ view: "authors", tinted: true })}>
        Who wrote this
      </MenuItem>
      <MenuItem icon={Footprints} onSelect={() => setInsight({ view: "passage" })}>
        Life of a passage
      </MenuItem>
      <MenuItem icon={Search} onSelect={() => setInsight({ view: "search" })}>
        Search through time…
      </MenuItem>
      <MenuItem icon={ScrollText} onSelect={() => setInsight({ view: "account", since: null })}>
        Written account
      </MenuItem>
    </>
  );
}
