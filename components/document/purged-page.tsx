import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { NoticePage } from "@/components/ui/notice-page";
import { useWorkspace } from "@/components/workspace-state/workspace-context";

/** What stands instead of a document that was deleted permanently while its page was open: nothing of it. */
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
    >
      An owner of the workspace deleted it. Its text, its history and its comments are gone.
    </NoticePage>
  );
}
