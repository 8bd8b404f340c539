import { useState, type RefObject } from "react";
import { rowsAtATime } from "@/events/core/pages";
import { StoreFault } from "@/events/log/store";
import type { NamedWorkspace } from "@/events/read-models/workspace-rows";
import { useTab } from "@/components/session/backend-provider";
import { failureWords } from "@/components/ui/failure-words";
import { useMoreRows } from "@/components/ui/long-list";
import { useToast } from "@/components/ui/toast";

type MoreWorkspaces = {
  workspaces: readonly NamedWorkspace[];
  /** Reads the next page; null where all are shown. */
  showMore: (() => Promise<void>) | null;
  list: RefObject<HTMLUListElement | null>;
};

/** The reader's workspaces, read a page at a time from behind the first page. */
export function useMoreWorkspaces(first: readonly NamedWorkspace[]): MoreWorkspaces {
  const { open } = useTab();
  const toast = useToast();
  const [later, setLater] = useState<readonly NamedWorkspace[]>([]);
  const [isEnd, setIsEnd] = useState(first.length < rowsAtATime);
  const workspaces = [...first, ...later];
  const { list, expectRows, expectNone } = useMoreRows<HTMLUListElement>(
    workspaces.length,
    isEnd ? workspaces.length : null,
  );
  const showMore = async () => {
    expectRows();
    try {
      const [{ backend }, { workspacesBehind }] = await Promise.all([
        open(),
        import("@/events/read-models/workspace-rows"),
      ]);
      const page = await workspacesBehind(backend.rows, workspaces.at(-1) ?? null, rowsAtATime);
      setLater([...later, ...page]);
      setIsEnd(page.length < rowsAtATime);
      if (page.length === 0) expectNone();
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      expectNone();
      toast({ text: failureWords(fault, "The other workspaces are not shown", navigator.onLine) });
    }
  };
  return { workspaces, showMore: isEnd ? null : showMore, list };
}
