"use client";

import { Button } from "@/components/ui/button";
import { numberWords } from "@/events/core/text/number-words";
import type { SearchAnswer, SearchResult as Result } from "@/events/read-models/search";
import { filterCount, type SearchAddress } from "./search-address";
import styles from "./search.module.css";
import { SearchResult } from "./search-result";

type Props = {
  address: SearchAddress;
  answer: SearchAnswer | null;
  hasAsked: boolean;
  isBusy: boolean;
  /** Whether the answer belongs to an earlier query. */
  isStale: boolean;
  failed: boolean;
  /** The result that is being restored. */
  returning: Result | null;
  /** The restored results; the index is updated a few seconds later. */
  returned: readonly Result[];
  onAsk: (most: number) => void;
  onWiden: () => void;
  onClear: () => void;
  onBringBack: (result: Result) => void;
};

const pageSize = 50;
const mostShown = 200;

/** The results, or the reason why there are none. */
export function SearchResults(props: Props) {
  const { address, answer, hasAsked, isBusy, isStale, failed, onAsk } = props;
  const { returning, returned, onBringBack } = props;
  if (failed)
    return (
      <div className={styles.none} role="alert">
        <b>Search can’t be reached</b>
        <p>Nothing you wrote is affected. Check your connection, then try again.</p>
        <Button look="edge" onClick={() => onAsk(pageSize)}>
          Try again
        </Button>
      </div>
    );
  const isEmpty = answer !== null && answer.results.length === 0;
  return (
    <>
      <p role="status" className={styles.status}>
        {countWords(answer, hasAsked, isBusy)}
      </p>
      {!hasAsked && <p className={styles.intro}>{introduction}</p>}
      {isEmpty && !isBusy && <NoResults {...props} />}
      {answer !== null && !isEmpty && (
        <ol aria-label="Results" aria-busy={isStale} className={styles.results}>
          {answer.results.map((result, index) => (
            <SearchResult
              key={`${result.document} ${result.kind} ${result.text} ${result.from ?? index}`}
              result={result}
              words={address.words}
              isReturning={result === returning}
              isBack={returned.some(
                ({ document, text }) => document === result.document && text === result.text,
              )}
              onBringBack={onBringBack}
            />
          ))}
        </ol>
      )}
      {answer !== null && answer.results.length < Math.min(answer.found, mostShown) && (
        <Button
          look="edge"
          busy={isBusy}
          onClick={() => onAsk(answer.results.length > pageSize ? mostShown : 2 * pageSize)}
        >
          Show more
        </Button>
      )}
    </>
  );
}

const counted = (count: number, one: string) =>
  `${numberWords(count)} ${one}${count === 1 ? "" : "s"}`;

const introduction =
  "Finds titles, text and comments. Put words in quotation marks to find them in a row.";

function countWords(answer: SearchAnswer | null, hasAsked: boolean, isBusy: boolean): string {
  if (!hasAsked) return "";
  if (answer === null) return isBusy ? "Searching…" : "";
  if (answer.results.length === 0) return "";
  const documents = answer.documents.length;
  const found = `${answer.isMore ? "More than " : ""}${counted(answer.found, "passage")}`;
  return `${found} in ${counted(documents, "document")}`;
}

function NoResults({ address, onWiden, onClear }: Pick<Props, "address" | "onWiden" | "onClear">) {
  const { scope, at, words } = address;
  const filtered = filterCount(address) > 0;
  const where =
    at !== null ? "that stood on that day" : scope === "ever" ? "ever written" : "in the text now";
  const why =
    at === null && scope === "now"
      ? "It may have been deleted or worded differently."
      : "It may have been worded differently.";
  return (
    <div className={styles.none} role="status">
      <b>No results</b>
      <p>
        Nothing {where} matches “<bdi>{words.trim()}</bdi>”. {why}
      </p>
      <div className={styles.actions}>
        {(scope === "now" || at !== null) && (
          <Button look="edge" onClick={onWiden}>
            Search everything ever written
          </Button>
        )}
        {filtered && (
          <Button look="quiet" onClick={onClear}>
            Clear filters
          </Button>
        )}
      </div>
    </div>
  );
}
