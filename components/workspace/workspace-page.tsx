"use client";

import { DocumentList } from "@/components/workspace/list/document-list";
import { EmptyList } from "@/components/workspace/list/empty-list";
import { PeopleOnline } from "./people-online";
import { useNewDocument } from "@/components/frame/documents/use-new-document";
import { useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import { WorkspaceName } from "./workspace-name";
import styles from "@/components/frame/page-heading.module.css";

/** Shows the home page of a workspace: documents by recent change, and the people online. */
export function WorkspacePage() {
  const empty = useWorkspaceValue(({ documents }) => documents.length === 0);
  const create = useNewDocument();
  return (
    <div className={styles.page}>
      <section>
        <WorkspaceName />
        {empty ? <EmptyList onNew={create} /> : <DocumentList />}
      </section>
      <PeopleOnline />
    </div>
  );
}
