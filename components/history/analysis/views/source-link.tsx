"use client";

import type { CopyIn } from "@/events/analysis/lineage/copy-in";
import { Link } from "@/components/ui/link";
import type { AnalysisViewModel } from "../model/analysis-model";
import { quoted } from "../model/analysis-words";

/** Links to the source revision. Renders nothing for a file without a document in the workspace. */
export function SourceLink({
  viewModel,
  copyIn,
}: {
  viewModel: Pick<AnalysisViewModel, "titleOf">;
  copyIn: CopyIn;
}) {
  const title = viewModel.titleOf(copyIn.source);
  if (title === null && copyIn.type === "document.imported") return null;
  return (
    <Link className="link" href={`/d/${copyIn.source}?at=${copyIn.version}`}>
      See {title === null ? "the other document" : quoted(title || "Untitled")} as it was
    </Link>
  );
}
