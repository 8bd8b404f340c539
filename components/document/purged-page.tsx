import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { NoticePage } from "@/components/ui/screen/notice-page";
import { UnsentText } from "./unsent/unsent-text";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/**
 * Replaces the page of a document that was deleted permanently while it was open. Shows only the
 * reader's unsaved text.
 */
export function PurgedPage() {
  const { id } = useWorkspace("id");
  return (
    <NoticePage
      title="This document was deleted permanently"
      actions={
        <Link className={buttonClass({ look: "primary" })} href={`/w/${id}`}>
          To all documents
        </Link>
      }
      details={<UnsentText />}
    >
      An owner of the workspace deleted it. Its text, its history and its comments are gone.
    </NoticePage>
  );
}
