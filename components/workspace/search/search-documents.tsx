"use client";

import { DocumentIcon } from "@/components/ui/pictures/document-icon";
import { Link } from "@/components/ui/link";
import type { SearchAnswer } from "@/events/read-models/search";
import type { SearchAddress } from "./search-address";
import { useFoundDocument } from "./found-documents";
import styles from "./search.module.css";

type Props = { documents: SearchAnswer["documents"]; address: SearchAddress };

/** The largest number of documents that are listed. */
export const mostDocuments = 12;

/** Lists the documents with results, and the number of results in each. */
export function SearchDocuments({ documents, address }: Props) {
  const { words, scope, at } = address;
  const stands = scope === "now" && at === null;
  const query = stands ? `?${new URLSearchParams({ find: words }).toString()}` : "";
  return (
    <section className={styles.tallies}>
      <h2 className={styles.heading}>Documents</h2>
      <ul aria-label="Found in">
        {documents.slice(0, mostDocuments).map(({ id, found }) => (
          <li key={id}>
            <DocumentLink id={id} query={query} />
            <span className={styles.found}>{found}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function DocumentLink({ id, query }: { id: string; query: string }) {
  const row = useFoundDocument(id);
  return (
    <Link href={`/d/${id}${query}`}>
      <DocumentIcon emoji={row?.icon ?? null} />
      <span>{row?.title || "Untitled"}</span>
    </Link>
  );
}
