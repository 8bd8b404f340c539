import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { SyncStatus } from "@/machines/sync/sync-status";
import { Notices } from "./notices";
import { UnsavedNotice } from "./unsaved-notice";

const bannersOf = (
  fullness: number,
  access: "write" | "read" = "write",
  { trashed = false, status = null }: { trashed?: boolean; status?: SyncStatus | null } = {},
) =>
  renderToStaticMarkup(
    <Notices
      access={access}
      lowered={false}
      comments={false}
      trashed={trashed}
      trashedWith={null}
      unreadable={null}
      fullness={fullness}
      status={status}
      onRestore={null}
    >
      <UnsavedNotice
        access={access}
        trashed={trashed}
        status={status}
        live={null}
        userId="ana"
        onCopied={() => undefined}
      />
    </Notices>,
  );

it("[LOG-59] tells only writers that a document is almost full or full", () => {
  expect(bannersOf(0.89)).not.toContain("full");
  expect(bannersOf(0.937)).toContain("This document is almost full (93%). Delete text");
  expect(bannersOf(1)).toContain("This document is full. Delete text");
  expect(bannersOf(1, "read")).not.toContain("full");
});

it("[OFFLINE-30] says how to keep unsent text of a document in the trash", () => {
  const status: SyncStatus = {
    label: "Not saved",
    tone: "problem",
    sentence: "You can read this document but no longer edit it.",
    action: "copy",
  };
  const shown = bannersOf(0, "read", { trashed: true, status });
  expect(shown).toContain("in the trash, so your last changes can’t be saved in it");
  expect(shown).toContain("Copy my changes");
  expect(bannersOf(0, "read", { status })).toContain("no longer edit it");
});
