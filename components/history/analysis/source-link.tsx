"use client";

import { type Carriage } from "@/events/analysis/lineage/carriage";
import { Link } from "@/components/ui/link";
import { type InsightScene } from "./analysis-model";
import { quoted } from "./analysis-words";

/** The way to the moment that was carried here; nothing for a file whose document is not here. */
export function SourceLink({
  scene,
  carriage,
}: {
  scene: Pick<InsightScene, "titleOf">;
  carriage: Carriage;
}) {
  const title = scene.titleOf(carriage.source);
  if (title === null && carriage.type === "document.imported") return null;
  return (
    <Link className="link" href={`/d/${carriage.source}?at=${carriage.version}`}>
      See {title === null ? "the other document" : quoted(title || "Untitled")} as it was
    </Link>
  );
}
