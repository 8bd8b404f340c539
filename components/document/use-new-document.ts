"use client";

import { useCallback } from "react";
import { beginInTitle } from "./begun-document";
import { useNavigate } from "@/components/frame/navigation-guard";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** Begins a document and opens it as soon as it is recorded; undefined for who may not. */
export function useNewDocument(): (() => void) | undefined {
  const { documentCommands, mayDocument } = useWorkspace("documentCommands", "mayDocument");
  const go = useNavigate();
  const create = useCallback(() => {
    const { id, done } = documentCommands.create();
    void done.then((recorded) => {
      if (!recorded) return;
      beginInTitle(id);
      go(`/d/${id}`);
    });
  }, [documentCommands, go]);
  return mayDocument("document.created", null) ? create : undefined;
}
