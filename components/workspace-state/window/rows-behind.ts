import { useState } from "react";
import type { RefObject } from "react";
import { rowsAtATime } from "@/events/core/pages";
import { StoreFault } from "@/events/log/store";
import type { Rows } from "@/events/read-models/rows";
import { useTab } from "@/components/session/backend-provider";
import { failureWords } from "@/components/ui/failure-words";
import { useMoreRows } from "@/components/ui/screen/long-list";
import { useToast } from "@/components/ui/toast";

type Options<Row> = {
  /** The first page, which the server rendered. */
  first: readonly Row[];
  /** Reads the page of rows that follows `last`. */
  readBehind: (rows: Rows, last: Row) => Promise<readonly Row[]>;
  /** The message if the other rows could not be read. */
  failure: string;
  /** The number of rows above these rows in the list. */
  above?: number;
};

type RowsBehind<Row> = {
  shown: readonly Row[];
  /** Reads the next page. Null if all rows are shown. */
  showMore: (() => Promise<void>) | null;
  list: RefObject<HTMLUListElement | null>;
};

/** Returns a list whose first page the server renders. `showMore` reads each next page. */
export function useRowsBehind<Row>({
  first,
  readBehind,
  failure,
  above = 0,
}: Options<Row>): RowsBehind<Row> {
  const { open } = useTab();
  const toast = useToast();
  const [later, setLater] = useState<readonly Row[]>([]);
  const [isEnd, setIsEnd] = useState(first.length < rowsAtATime);
  const shown = [...first, ...later];
  const { list, expectRows, expectNone } = useMoreRows<HTMLUListElement>(
    shown.length + above,
    isEnd ? shown.length + above : null,
  );
  const showMore = async () => {
    const last = shown.at(-1);
    if (last === undefined) return;
    expectRows();
    try {
      const { backend } = await open();
      const page = await readBehind(backend.rows, last);
      setLater([...later, ...page]);
      setIsEnd(page.length < rowsAtATime);
      if (page.length === 0) expectNone();
    } catch (fault) {
      if (!(fault instanceof StoreFault)) throw fault;
      expectNone();
      toast({ text: failureWords(fault, failure, navigator.onLine) });
    }
  };
  return { shown, showMore: isEnd ? null : showMore, list };
}
