import { Button } from "@/components/ui/button";
import styles from "./search.module.css";

/** Replaces the results if the search cannot be reached. */
export function SearchFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <div className={styles.none} role="alert">
      <b>Search can’t be reached</b>
      <p>Nothing you wrote is affected. Check your connection, then try again.</p>
      <Button look="edge" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}
