"use client";

import { DocumentIcon } from "@/components/ui/document-icon";
import { Link } from "@/components/ui/link";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { SearchAnswer } from "@/events/read-models/search";
import type { SearchAddress } from "./search-address";
import styles from "./search.module.css";

type Props = { documents: SearchAnswer["documents"]; address: SearchAddress };

const most = 12;

/** In which documents something was found, and how often. */
export function SearchDocuments({ documents, address }: Props) {
  const { words, scope, at } = address;
  const stands = scope === "now" && at === null;
  const query = stands ? `?${new URLSearchParams({ find: words }).toString()}` : "";
  const { documents: live, trashed } = useWorkspace("documents", "trashed");
  const rows = new Map([...live, ...trashed].map((row) => [row.id, row]));
  return (
    <section className={styles.tallies}>
      <h2 className={styles.heading}>Documents</h2>
      <ul aria-label="Found in">
        {documents.slice(0, most).map(({ id, found }) => (
          <li key={id}>
            <Link href={`/d/${id}${query}`}>
              <DocumentIcon emoji={rows.get(id)?.icon ?? null} />
              <span>{rows.get(id)?.title || "Untitled"}</span>
            </Link>
            <span className={styles.found}>{found}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
