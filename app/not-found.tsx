import type { Metadata } from "next";
import { buttonClass } from "@/components/ui/button";
import { NoticePage } from "@/components/ui/screen/notice-page";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <NoticePage
      title="Page not found"
      actions={
        <a className={buttonClass({ look: "primary" })} href="/">
          Go to your workspaces
        </a>
      }
    >
      This page doesn’t exist or isn’t shared with you. If somebody sent you its address, ask them
      for access.
    </NoticePage>
  );
}
