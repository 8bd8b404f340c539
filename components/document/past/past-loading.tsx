import { useSyncExternalStore } from "react";
import { knownRelease, onRelease } from "@/components/loading/release";
import { Button } from "@/components/ui/button";
import styles from "../document.module.css";

const words = {
  current: "The history is being fetched. If you’re offline, it opens when you’re back.",
  replaced:
    "A new version of Palimpsest was released. Reload the page to open the history; what you wrote is kept.",
  "part-missing":
    "The history can’t be loaded. Reload the page to try again; what you wrote is kept.",
};

/** Renders a placeholder while the code of the player loads, which requires a network. */
export function PastLoading() {
  const release = useSyncExternalStore(onRelease, knownRelease, () => "current" as const);
  return (
    <div className={styles.loading}>
      <p role="status">{words[release]}</p>
      <div className={styles.choices}>
        {release !== "current" && (
          <Button look="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        )}
        <Button look="edge" onClick={() => history.pushState(null, "", location.pathname)}>
          Back to live
        </Button>
      </div>
    </div>
  );
}
