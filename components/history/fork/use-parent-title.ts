import { useEffect, useState } from "react";
import * as z from "zod/mini";
import { readRows } from "@/events/log/paged-rows";
import type { Rows } from "@/events/read-models/rows";
import { reportUnexpected } from "@/components/ui/failure-words";

const titled = z.object({ title: z.string() });

/**
 * Returns the title of a fork's parent that is not among the loaded documents, because it is in the
 * trash or in another workspace of the reader. Null if the reader may not see the parent, undefined
 * until that is known.
 */
export function useParentTitle(
  rows: Rows | null,
  parent: string,
  isNeeded: boolean,
): string | null | undefined {
  const [found, setFound] = useState<{ parent: string; title: string | null } | null>(null);
  useEffect(() => {
    if (rows === null || !isNeeded) return;
    let isCurrent = true;
    const read = async () => {
      const [row] = readRows(await rows.from("documents").select("title").eq("id", parent), titled);
      if (isCurrent) setFound({ parent, title: row ? row.title || "Untitled" : null });
    };
    read().catch(reportUnexpected);
    return () => {
      isCurrent = false;
    };
  }, [rows, parent, isNeeded]);
  return found?.parent === parent ? found.title : undefined;
}
