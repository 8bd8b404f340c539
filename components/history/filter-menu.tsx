"use client";

import { ListFilter } from "lucide-react";
import { Button } from "../ui/button";
import { Icon } from "../ui/icon";
import { Menu } from "../ui/menu";
import { isFiltering } from "./filter";
import { FilterChoices } from "./filter-choices";
import { type PlayerView } from "./player-view";

/** Chooses what is played: one person's edits, a section, comments, restores. */
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
