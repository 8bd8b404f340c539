"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { numberWords } from "@/events/core/text/number-words";
import type { SearchAnswer, SearchResult as Result } from "@/events/read-models/search";
import styles from "./search.module.css";
import { SearchResult } from "./search-result";

type Props = {
  /** The search words as they were typed. */
  words: string;
  answer: SearchAnswer | null;
  isBusy: boolean;
  /** Whether the answer belongs to an earlier query. */
  isStale: boolean;
  returning: Result | null;
  /** The restored results, which the index includes only some seconds later. */
  returned: readonly Result[];
  onAsk: (most: number) => void;
  onBringBack: (result: Result) => void;
  /** The content that is shown if nothing was found. */
  children: ReactNode;
};

export const pageSize = 50;
const mostShown = 200;

/** Shows the results of a search, or the reason why there are none. */
export function SearchResults(props: Props) {
  const { words, answer, isBusy, isStale, onAsk, children } = props;
  const { returning, returned, onBringBack } = props;
  const hasAsked = words.trim() !== "";
  const isEmpty = answer !== null && answer.results.length === 0;
  return (
    <>
      <p role="status" className={styles.status}>
        {countWords(answer, hasAsked, isBusy)}
      </p>
      {!hasAsked && <p className={styles.intro}>{introduction}</p>}
      {isEmpty && !isBusy && children}
      {answer !== null && !isEmpty && (
        <ol aria-label="Results" aria-busy={isStale} className={styles.results}>
          {answer.results.map((result, index) => (
            <SearchResult
              key={`${result.document} ${result.kind} ${result.text} ${result.from ?? index}`}
              result={result}
              words={words}
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
