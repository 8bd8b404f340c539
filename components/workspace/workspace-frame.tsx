"use client";

import { FileUp, Plus, UserPlus } from "lucide-react";
import { usePathname } from "next/navigation";
import { useState } from "react";
import type { ReactNode } from "react";
import { Announcer } from "@/components/ui/screen/announcer";
import { useCommands } from "@/components/commands/command-handlers";
import { Frame, Grow } from "@/components/frame/frame";
import { useNavigate } from "@/components/frame/documents/navigation-guard";
import type { Place } from "@/components/frame/tree";
import { onDemand } from "@/components/loading/on-demand";
import { Button } from "@/components/ui/button";
import { useBackend } from "@/components/session/backend-provider";
import { Icon } from "@/components/ui/icon";
import { AccessGone } from "./access-gone";
import { RoleNotice } from "./role-notice";
import { useNewDocument } from "@/components/frame/documents/use-new-document";
import { useWorkspace, useWorkspaceValue } from "@/components/workspace-state/workspace-context";
import styles from "./workspace-frame.module.css";

const ShareDialog = onDemand(() =>
  import("@/components/sharing/share-dialog").then((module) => module.ShareDialog),
);
const ImportDialog = onDemand(() =>
  import("@/components/history/proof/import-dialog").then((module) => module.ImportDialog),
);
const CreateWorkspace = onDemand(() =>
  import("./create-workspace").then((module) => module.CreateWorkspace),
);

const places = ["members", "activity", "trash", "search"] as const;

function usePlace(): Place {
  const last = usePathname().split("/").at(-1);
  return places.find((place) => place === last) ?? "documents";
}

/** Renders the frame of a workspace's own pages, with each page's actions in the bar. */
export function WorkspaceFrame({ children }: { children: ReactNode }) {
  const { id, access, role, may, clock } = useWorkspace("id", "access", "role", "may", "clock");
  const empty = useWorkspaceValue(({ documents }) => documents.length === 0);
  const go = useNavigate();
  const place = usePlace();
  const create = useNewDocument();
  const [sharing, setSharing] = useState(false);
  const [creating, setCreating] = useState(false);
  const [importing, setImporting] = useState(false);
  const backend = useBackend();
  const invite = () => setSharing(true);
  useCommands({
    newDocument: create,
    invite,
    import: create && (() => setImporting(true)),
    createWorkspace: () => setCreating(true),
  });
  if (access === "gone" || role === null) return <AccessGone />;
  const invites = may("invitation.created", { kind: "invitation", id: "new" });
  const bar = (
    <>
      {place === "search" && <b className={styles.place}>Search</b>}
      <Grow />
      {invites && (place === "documents" || place === "members") && (
        <Button
          look={place === "members" ? "primary" : "quiet"}
          aria-label="Invite"
          onClick={invite}
        >
          <Icon of={UserPlus} />
          <span className={styles.words}>Invite</span>
        </Button>
      )}
      {place === "documents" && create && (
        <Button look="quiet" aria-label="Import" onClick={() => setImporting(true)}>
          <Icon of={FileUp} />
          <span className={styles.words}>Import</span>
        </Button>
      )}
      {place === "documents" && create && !empty && (
        <Button look="primary" onClick={create}>
          <Icon of={Plus} />
          New document
        </Button>
      )}
    </>
  );
  return (
    <Announcer>
      <Frame
        page={place}
        skip="Skip to the page"
        bar={bar}
        onNewDocument={place === "documents" ? undefined : create}
        onCreateWorkspace={() => setCreating(true)}
      >
        <RoleNotice />
        {children}
      </Frame>
      {sharing && <ShareDialog open={sharing} onOpenChange={setSharing} document={null} />}
      {importing && backend && (
        <ImportDialog
          store={backend.store}
          workspaceId={id}
          clock={clock}
          onImported={(id) => go(`/d/${id}`)}
          onClose={() => setImporting(false)}
        />
      )}
      {creating && (
        <CreateWorkspace
          open={creating}
          onOpenChange={setCreating}
          onCreated={(id) => go(`/w/${id}`)}
        />
      )}
    </Announcer>
  );
}
