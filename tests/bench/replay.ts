import { createServer } from "node:http";
import { loadavg, tmpdir } from "node:os";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { framed } from "@/events/history/segments/segment-stream";
import { launchBrowser } from "@/tests/support/product/browser";
import { percentile } from "./figures/percentile";
import type { PageNumbers } from "./sessions/replay-page";
import { segmentedSession } from "./sessions/segmented-session";
import type { SegmentedSession } from "./sessions/segmented-session";
import type { SessionName } from "./sessions/sessions";

const root = fileURLToPath(new URL("../..", import.meta.url));
const names = (process.env.SESSIONS?.split(",") ?? [
  "seph-blog1",
  "session-100k",
  "session-1m",
]) as SessionName[];
const rounds = Number(process.env.ROUNDS ?? 5);
const seeks = Number(process.env.SEEKS ?? 200);

async function bundled(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), "palimpsest-page-"));
  const lib = {
    entry: join(root, "tests/bench/sessions/replay-page.ts"),
    formats: ["es" as const],
    fileName: () => "page.js",
    cssFileName: "page",
  };
  await build({
    configFile: false,
    root,
    logLevel: "error",
    resolve: { alias: { "@": root.replace(/\/$/, "") } },
    define: { "process.env.NODE_ENV": '"production"' },
    build: { outDir, lib, emptyOutDir: true },
  });
  return outDir;
}

const words = (values: readonly number[], shares: number[]) =>
  shares.map((share) => `p${share * 100} ${percentile(values, share).toFixed(1)}`).join(", ");

function print({ name, edits, bytes, segments }: SegmentedSession, numbers: PageNumbers): void {
  const { opened, stoodStill, firstSeek, far, forwards, backwards, played, shown } = numbers;
  console.log(
    `${name}: ${edits} edits, ${segments.length} segments, ` +
      `${(bytes / edits).toFixed(2)} B/edit over the wire; load ` +
      `${(loadavg()[0] ?? NaN).toFixed(1)}`,
  );
  console.log(
    "  open to the first frame, ms: median " +
      `${percentile(opened, 0.5).toFixed(0)}, most ` +
      `${Math.max(...opened).toFixed(0)}; the page stood still for at most ` +
      `${percentile(stoodStill, 0.5).toFixed(0)} (median), ` +
      `${Math.max(...stoodStill).toFixed(0)}; first segment ` +
      `(${segments[0]?.length ?? 0} B) in after ` +
      `${percentile(firstSeek, 0.5).toFixed(0)}`,
  );
  console.log(
    `  far seek, whole frame, ms: ${words(far, [0.5, 0.95, 0.99])} ` +
      `(${far.length} seeks; ${shown.blocks} blocks, ${shown.nodes} elements in ` +
      "the page)",
  );
  console.log(
    `  next revision, ms: forwards ${words(forwards, [0.5, 0.95])}; backwards ${words(backwards, [0.5, 0.95])}`,
  );
  console.log(
    `  playing at 32×: ${played.frames} frames in 5 s, ` +
      `${played.late} late; a frame ` +
      `${words(played.scripts, [0.5, 0.95, 0.99])} ms`,
  );
}

async function benchReplay(): Promise<void> {
  const sessions = (await Promise.all(names.map(segmentedSession))).filter(
    (session) => session !== null,
  );
  const page = await bundled();
  const server = createServer((request, response) => {
    const segments = sessions.find(({ name }) => request.url === `/segments/${name}`)?.segments;
    if (segments) return void response.end(Buffer.concat(segments.map(framed)));
    if (request.url === "/")
      return void response
        .setHeader("content-type", "text/html")
        .end(
          "<!doctype html><link rel=stylesheet href=/page.css><body><script type=module src=/page.js></script>",
        );
    const type = request.url?.endsWith(".js") ? "text/javascript" : "text/css";
    readFile(join(page, request.url ?? "")).then(
      (file) => response.setHeader("content-type", type).end(file),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
  const browser = await launchBrowser();
  try {
    const middle = new Map<string, number>();
    for (const session of sessions) {
      const tab = await browser.newPage({ viewport: { width: 1200, height: 800 } });
      await tab.goto(`http://127.0.0.1:${port}/`);
      await tab.waitForFunction(() => "measure" in window);
      // The page's own script sets these.
      const numbers = await tab.evaluate(
        ([name, times, far]) =>
          (
            window as unknown as {
              measure(name: string, rounds: number, seeks: number): Promise<PageNumbers>;
            }
          ).measure(name, times, far),
        [session.name, rounds, seeks] as const,
      );
      print(session, numbers);
      middle.set(session.name, percentile(numbers.far, 0.5));
      await tab.close();
    }
    const ratio = (middle.get("session-1m") ?? NaN) / (middle.get("session-100k") ?? NaN);
    if (!Number.isNaN(ratio)) console.log(`frame(1M) / frame(100k), medians: ${ratio.toFixed(2)}`);
  } finally {
    await browser.close();
    server.close();
    await rm(page, { recursive: true });
  }
}

await benchReplay();
