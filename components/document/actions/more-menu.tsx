"use client";

import { Ellipsis } from "lucide-react";
import { lazy, useEffect } from "react";
import { tolerate } from "@/events/core/error-report";
import { afterCritical } from "@/components/loading/after-critical";
import { importWithRetry } from "@/components/loading/retrying-import";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";
import type { MoreProps } from "./more-items";

const fetchItems = () => import("./more-items");
const MoreItems = lazy(() =>
  importWithRetry(fetchItems).then((module) => ({ default: module.MoreItems })),
);

/** Offers a document's further actions in a menu. */
export function MoreMenu(props: MoreProps) {
  useEffect(() => {
    void afterCritical().then(fetchItems).catch(tolerate("fetching a menu"));
  }, []);
  return (
    <Menu
      align="end"
      label="More"
      fetchItems={fetchItems}
      trigger={
        <Button look="quiet" icon aria-label="More">
          <Icon of={Ellipsis} />
        </Button>
      }
    >
      <MoreItems {...props} />
    </Menu>
  );
}
