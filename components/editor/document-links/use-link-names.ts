import { useRouter } from "next/navigation";
import { useEffect, useLayoutEffect } from "react";
import { useTab } from "@/components/session/backend-provider";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { importWithRetry } from "@/components/loading/retrying-import";
import { reportError } from "@/events/core/error-report";
import type { LinkedDocument } from "@/events/content/document-link";
import { StoreFault } from "@/events/log/store";
import { linkNames } from "./link-names";

// React warns about useLayoutEffect on a server.
const useBeforePaint = typeof window === "undefined" ? useEffect : useLayoutEffect;

/**
 * Keeps the names of links to documents current for the reader, and opens clicked links within the
 * page. `linked` has the documents of other workspaces that the server read.
 */
export function useLinkNames(linked: Readonly<Record<string, LinkedDocument | null>>): void {
  const { documents, trashed } = useWorkspace("documents", "trashed");
  const { open } = useTab();
  const router = useRouter();
  useBeforePaint(
    () => linkNames.know([...documents, ...trashed], linked),
    [documents, trashed, linked],
  );
  useEffect(
    () =>
      linkNames.askOf(async (ids) => {
        try {
          const { backend } = await open();
          // The module imports the schema library, which is not needed before the first letter.
          const { documentsById } = await importWithRetry(
            () => import("@/events/read-models/document-rows"),
          );
          return await documentsById(backend.rows, ids);
        } catch (fault) {
          if (!(fault instanceof StoreFault)) throw fault;
          reportError(fault, {
            during: "loading the titles of linked documents",
            kind: "tolerated",
          });
          return null;
        }
      }),
    [open],
  );
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link =
        event.target instanceof Element
          ? event.target.closest<HTMLAnchorElement>("a[data-document][href]")
          : null;
      const elsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (link === null || elsewhere || event.button !== 0) return;
      event.preventDefault();
      const { pathname, hash } = new URL(link.href);
      if (pathname !== location.pathname) router.push(pathname + hash);
      else if (hash !== "") location.hash = hash;
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [router]);
}
