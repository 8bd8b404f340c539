"use client";

import { Copy } from "lucide-react";
import { useEffect, useState } from "react";
import type { LiveDocument } from "@/machines/sync/live-document";
import type { SyncReport } from "@/machines/sync/sync-report";
import { Button } from "@/components/ui/button";
import { copyText, uncopied } from "@/components/ui/clipboard/clipboard";
import { Icon } from "@/components/ui/icon";
import { factsOf } from "./sync-facts";
import styles from "./sync-inspector.module.css";

/** The interval in ms at which state without machine events is read, such as the stored edits. */
const lookEvery = 500;

/** Returns the current sync report of a document. */
function useSyncReport(live: LiveDocument): SyncReport {
  const [report, setReport] = useState(() => live.debug());
  useEffect(() => {
    const look = () => setReport(live.debug());
    const timer = setInterval(look, lookEvery);
    const subscription = live.sync.subscribe(look);
    return () => {
      clearInterval(timer);
      subscription.unsubscribe();
    };
  }, [live]);
  return report;
}

/** Shows the synchronization state of the open document, and copies it as JSON for a bug report. */
export function SyncInspector({ live }: { live: LiveDocument }) {
  const report = useSyncReport(live);
  const [announcement, setAnnouncement] = useState("");
  const copy = () =>
    void copyText(JSON.stringify(live.debug(), null, 2)).then((done) =>
      setAnnouncement(done ? "Report copied" : uncopied),
    );
  return (
    <section className={styles.panel} aria-label="Sync inspector">
      <details open>
        <summary className={styles.summary}>
          Sync: {report.status}, version {report.confirmed.version}
        </summary>
        {/* Focusable, so that it can be scrolled by keyboard. */}
        <div className={styles.scroll} tabIndex={0} role="group" aria-label="Sync report">
          {factsOf(report).map(({ heading, facts }) => (
            <div key={heading} className={styles.part}>
              <h2>{heading}</h2>
              <dl>
                {facts.map(({ name, value }) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                  </div>
                ))}
              </dl>
            </div>
          ))}
        </div>
        <div className={styles.foot}>
          <Button look="edge" onClick={copy}>
            <Icon of={Copy} />
            Copy report
          </Button>
          <p role="status">{announcement}</p>
        </div>
      </details>
    </section>
  );
}
