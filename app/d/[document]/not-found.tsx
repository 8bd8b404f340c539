import { buttonClass } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/notice-page";
import { UnsentText } from "@/components/document/unsent/unsent-text";

export default function DocumentNotFound() {
  return (
    <NoticePage
      title="No document here"
      details={<UnsentText />}
      actions={
        <a className={buttonClass({ look: "primary" })} href="/">
          To your workspaces
        </a>
      }
    >
      This document doesn’t exist or isn’t shared with you. Ask the person who gave you its address
      for access.
    </NoticePage>
  );
}
