"use client";

import { DocumentList } from "../document-list/document-list";
import { EmptyList } from "../document-list/empty-list";
import { PeopleOnline } from "../presence/people-online";
import { useNewDocument } from "./use-new-document";
import { useWorkspace } from "./workspace-context";
import { WorkspaceName } from "./workspace-name";
import styles from "./workspace-page.module.css";

/** A workspace: its documents by recent change, and who is online. */
export function WorkspacePage() {
  const { documents } = useWorkspace();
  const create = useNewDocument();
  return (
    <div className={styles.page}>
      <section>
        <WorkspaceName />
        {documents.live.length > 0 ? <DocumentList /> : <EmptyList onNew={create} />}
      </section>
      <PeopleOnline />
    </div>
  );
}
