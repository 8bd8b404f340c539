"use client";

import { FileText } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { isolated } from "@/events/core/text/isolated";
import type { LinkingDocument } from "@/events/read-models/linking-documents";
import styles from "./linked-here.module.css";
import { useLinkingDocuments } from "./use-linking-documents";

type Props = {
  documentId: string;
  title: string;
  /** The time of the shown revision, in ms, or null for the live text. */
  at: number | null;
};

/** Lists the documents that link to this one, with the words around each link, if there are any. */
export function LinkedHere({ documentId, title, at }: Props) {
  const links = useLinkingDocuments(documentId, at);
  if (links.length === 0) return null;
  return (
    <section className={styles.linked} aria-label="Linked here">
      <h2>
        Linked here <span>{links.length}</span>
      </h2>
      <ul>
        {links.map((link, index) => (
          <li key={`${link.document} ${index}`}>
            <LinkingItem link={link} title={title} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function LinkingItem({ link, title }: { link: LinkingDocument; title: string }) {
  const { document, icon, block, before, after } = link;
  return (
    <>
      <span className={styles.icon} aria-hidden="true">
        {icon ?? <Icon of={FileText} />}
      </span>
      <div>
        <Link href={`/d/${document}#${block}`}>
          {isolated(link.title.trim() === "" ? "Untitled" : link.title)}
        </Link>
        <q>
          {before}
          <span className={styles.here}>{title}</span>
          {after}
        </q>
      </div>
    </>
  );
}
