import { strFromU8, unzipSync } from "fflate";
import { afterEach, expect, it, vi } from "vitest";
import { workspaceArchive } from "./workspace-archive";

const origin = "https://notes.example";
const [own, foreign] = [
  "6a0e5cf4-3d6c-4b8e-9d54-1c2f5f0a1b11",
  "0f9a5cf4-3d6c-4b8e-9d54-1c2f5f0a1b22",
];
afterEach(() => vi.unstubAllGlobals());

/**
 * Returns the files in the archive of a workspace `w`. A text in it names two files, of which `w`
 * has the first.
 */
async function archived(disposition: string): Promise<Record<string, string>> {
  vi.stubGlobal("fetch", async (address: string) => {
    if (address.startsWith("/d/"))
      return new Response(`![Own](${origin}/files/${own}) ![Foreign](${origin}/files/${foreign})`);
    const { pathname, searchParams } = new URL(address, origin);
    // The reader may read both files. Without `workspace`, the server returns either.
    const isOwn = pathname === `/files/${own}`;
    if (!isOwn && searchParams.get("workspace") === "w") return new Response(null, { status: 404 });
    return new Response(isOwn ? "own bytes" : "foreign bytes", {
      headers: { "content-disposition": disposition },
    });
  });
  const archives: Blob[] = [];
  const input = {
    workspace: { id: "w", name: "Notes" },
    documents: [{ id: "d", title: "Plans", parent: null }],
    origin,
  };
  const work = workspaceArchive(input, (archive) => archives.push(archive));
  await work(() => undefined, new AbortController().signal);
  const [archive = new Blob()] = archives;
  const files = unzipSync(new Uint8Array(await archive.arrayBuffer()));
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strFromU8(text)]));
}

it("[FORMAT-18] an archive has no file of another workspace, whatever its texts name", async () => {
  const { "contents.json": contents = "", ...files } = await archived(
    "inline; filename=\"p.png\"; filename*=UTF-8''a%20pier.png",
  );
  expect(files).toEqual({
    "Plans.md": `![Own](files/${own}%20a%20pier.png) ![Foreign](${origin}/files/${foreign})`,
    [`files/${own} a pier.png`]: "own bytes",
  });
  expect(JSON.parse(contents)).toMatchObject({ workspace: "Notes", filesNotIncluded: [foreign] });
});

it("[FORMAT-18] a file with an unreadable name gets another name in the archive", async () => {
  for (const named of ["filename*=UTF-8''100%-%E0%A4.png", "inline", "filename*=UTF-8''%"]) {
    const files = await archived(named);
    expect(files[`files/${own} file`]).toBe("own bytes");
  }
});
