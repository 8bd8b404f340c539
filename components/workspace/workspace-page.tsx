"use client";

import { DocumentList } from "@/components/workspace/list/document-list";
import { EmptyList } from "@/components/workspace/list/empty-list";
import { PeopleOnline } from "./people-online";
import { useNewDocument } from "@/components/document/use-new-document";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { WorkspaceName } from "./workspace-name";
import styles from "@/components/frame/page-heading.module.css";

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
