"use client";

import { Download } from "lucide-react";
import { lazy } from "react";
import { importWithRetry } from "@/components/loading/retrying-import";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { Menu } from "@/components/ui/menu";

const fetchItems = () => import("./download-items");
const DownloadItems = lazy(() =>
  importWithRetry(fetchItems).then((module) => ({ default: module.DownloadItems })),
);

/** Offers the downloads of a document whose history the reader may not see. */
export function DownloadMenu(props: { documentId: string; title: string }) {
  return (
    <Menu
      align="end"
      label="Download"
      fetchItems={fetchItems}
      trigger={
        <Button look="quiet" icon aria-label="Download">
          <Icon of={Download} />
        </Button>
      }
    >
      <DownloadItems {...props} onHistory={null} />
    </Menu>
  );
}
