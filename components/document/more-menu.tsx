"use client";

import { Ellipsis } from "lucide-react";
import { lazy } from "react";
import { importWithRetry } from "@/components/loading/retrying-import";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";
import type { MoreProps } from "./more-items";

const MoreItems = lazy(() =>
  importWithRetry(() => import("./more-items")).then((module) => ({ default: module.MoreItems })),
);

/** The rest of what can be done with a document. */
export function MoreMenu(props: MoreProps) {
  return (
    <Menu
      align="end"
      label="More"
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
