"use client";

import { ListFilter, Search, X } from "lucide-react";
import { useRef, useState } from "react";
import page from "@/components/frame/page-heading.module.css";
import { onDemand } from "@/components/loading/on-demand";
import { Button } from "@/components/ui/button";
import { classNames } from "@/components/ui/class-names";
import { Icon } from "@/components/ui/icon";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { longestWords } from "@/events/read-models/search";
import type { SearchResult as Result } from "@/events/read-models/search";
import type { DocumentRow } from "@/events/read-models/document-rows";
import { FoundDocuments } from "./found-documents";
import { ScopeHint } from "./scope-hint";
import { filterCount, noFilters, searchQueryOf } from "./search-address";
import { SearchDocuments } from "./search-documents";
import { SearchFilters } from "./search-filters";
import styles from "./search.module.css";
import { NoResults } from "./no-results";
import { SearchFailure } from "./search-failure";
import { pageSize, SearchResults } from "./search-results";
import { useResults } from "./use-results";
import type { Found } from "./use-results";
import { useSearchAddress } from "./use-search-address";

const BringBack = onDemand(() => import("./bring-back").then((module) => module.BringBack));

const scopes = [
  { value: "now", label: "In the text now" },
  { value: "ever", label: "Ever written" },
] as const;

type Props = {
  initial: Found | null;
  /** The documents that the answer names. */
  documents: readonly DocumentRow[];
};

/** Shows the search of a workspace, in its current texts and in all earlier texts. */
export function SearchPage({ initial, documents }: Props) {
  const { id, clock } = useWorkspace("id", "clock");
  const [address, change] = useSearchAddress();
  const { found, isBusy, failed, ask } = useResults(id, address, clock.zone, initial);
  const [brought] = useState(() => documents.map((row) => ({ ...row, trashedIn: null })));
  const [filtering, setFiltering] = useState(false);
  const [returning, setReturning] = useState<Result | null>(null);
  const [returned, setReturned] = useState<readonly Result[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const filters = filterCount(address);
  const answer = found?.answer ?? null;
  const clear = () => {
    change({ words: "" });
    field.current?.focus();
  };
  return (
    <FoundDocuments value={brought}>
      <div className={classNames(page.page, styles.page)}>
        <div className={styles.head}>
          <h1 className="sr">Search</h1>
          <form role="search" onSubmit={(event) => event.preventDefault()}>
            <div className={styles.seek}>
              <Icon of={Search} />
              <input
                ref={field}
                type="search"
                aria-label="Search this workspace"
                placeholder="Search this workspace"
                value={address.words}
                maxLength={longestWords}
                autoFocus
                autoComplete="off"
                spellCheck={false}
                enterKeyHint="search"
                onChange={(event) => change({ words: event.target.value })}
              />
              {address.words !== "" && (
                <Button look="quiet" icon aria-label="Clear" onClick={clear}>
                  <Icon of={X} />
                </Button>
              )}
            </div>
            <div className={styles.modes}>
              <div role="radiogroup" aria-label="Where to search" className={styles.scopes}>
                {scopes.map(({ value, label }) => (
                  <label key={value} className={styles.scope}>
                    <input
                      type="radio"
                      name="in"
                      checked={address.scope === value}
                      onChange={() => change({ scope: value, at: null })}
                    />
                    {label}
                  </label>
                ))}
              </div>
              <ScopeHint address={address} />
              <Button
                look="quiet"
                className={styles.filtersButton}
                aria-expanded={filtering}
                aria-controls="filters"
                onClick={() => setFiltering((shown) => !shown)}
              >
                <Icon of={ListFilter} />
                Filters
                {filters > 0 && <span className={styles.count}>{filters}</span>}
              </Button>
            </div>
          </form>
        </div>
        <section className={styles.body}>
          {failed ? (
            <SearchFailure onRetry={() => ask(pageSize)} />
          ) : (
            <SearchResults
              words={address.words}
              answer={answer}
              isBusy={isBusy}
              isStale={found !== null && found.query !== searchQueryOf(address)}
              returning={returning}
              returned={returned}
              onAsk={ask}
              onBringBack={setReturning}
            >
              <NoResults
                address={address}
                onWiden={() => change({ scope: "ever", at: null })}
                onClear={() => change(noFilters)}
              />
            </SearchResults>
          )}
        </section>
        <aside className={styles.side} aria-label="Filters">
          <div id="filters" className={classNames(styles.filters, filtering && styles.shown)}>
            <SearchFilters address={address} onChange={change} />
          </div>
          {answer !== null && answer.documents.length > 1 && (
            <SearchDocuments documents={answer.documents} address={address} />
          )}
        </aside>
        {returning !== null && (
          <BringBack
            key={`${returning.document} ${returning.text}`}
            result={returning}
            words={address.words}
            onEnd={(restored) => {
              setReturning(null);
              if (restored) setReturned((before) => [...before, returning]);
            }}
          />
        )}
      </div>
    </FoundDocuments>
  );
}
