import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, it } from "vitest";
import { fontFiles } from "@/app/_server/download/pdf-fonts";

// A host that runs each route separately gets only the files traced for that route.
it("[FORMAT-3] the route that makes a PDF includes all its fonts", () => {
  const list = resolve(".next/server/app/d/[document]/download/route.js.nft.json");
  // The build writes this file.
  const { files } = JSON.parse(readFileSync(list, "utf8")) as { files: string[] };
  const traced = new Set(files.map((file) => resolve(dirname(list), file)));
  expect(fontFiles.length).toBeGreaterThan(18);
  expect(fontFiles.filter((file) => !traced.has(file))).toEqual([]);
});
