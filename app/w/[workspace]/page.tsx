import { WorkspacePage } from "@/components/workspace/workspace-page";

export default function Page() {
  return <WorkspacePage />;
}
