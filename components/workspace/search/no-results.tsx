import { Button } from "@/components/ui/button";
import { filterCount } from "./search-address";
import type { SearchAddress } from "./search-address";
import styles from "./search.module.css";

type Props = { address: SearchAddress; onWiden: () => void; onClear: () => void };

/** Says what was not found, and offers ways to widen the search. */
export function NoResults({ address, onWiden, onClear }: Props) {
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
