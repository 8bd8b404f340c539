"use client";

import { Star, StarOff } from "lucide-react";
import { MenuItem } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** Adds a document to the reader's favourites or removes it, as a menu item. */
export function FavouriteItem({ document }: { document: string }) {
  const { favourites, personal } = useWorkspace("favourites", "personal");
  const favourite = favourites.includes(document);
  return (
    <MenuItem
      icon={favourite ? StarOff : Star}
      onSelect={() => personal.favour(document, !favourite)}
    >
      {favourite ? "Remove from favourites" : "Add to favourites"}
    </MenuItem>
  );
}
