"use client";

import { ListFilter } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";
import { isFiltering } from "@/components/history/playback/playback-filter";
import { FilterChoices } from "./filter-choices";
import type { PlayerView } from "@/components/history/playback/player-view";

/** Chooses what is played: one person's edits, a section, comments or restores. */
export function FilterMenu(view: PlayerView) {
  const on = isFiltering(view.filter);
  return (
    <Menu
      label="Filter"
      wide
      align="end"
      trigger={
        <Button
          look="quiet"
          icon
          aria-label={on ? "Filter, on" : "Filter"}
          title="Filter"
          data-on={on || undefined}
        >
          <Icon of={ListFilter} />
        </Button>
      }
    >
      <FilterChoices {...view} />
    </Menu>
  );
}
