import { buttonClass } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/screen/notice-page";
import { UnsentText } from "@/components/document/unsent/unsent-text";

export default function DocumentNotFound() {
  return (
    <NoticePage
      title="Document not found"
      details={<UnsentText />}
      actions={
        <a className={buttonClass({ look: "primary" })} href="/">
          Go to your workspaces
        </a>
      }
    >
      This document doesn’t exist or isn’t shared with you. Ask the person who gave you its address
      for access.
    </NoticePage>
  );
}
