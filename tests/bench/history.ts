import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { storedSegments } from "@/events/history/segments/segment-store";
import { supabaseStore } from "@/events/log/store";
import type { RawStore } from "@/events/log/store";
import { schemaVersion } from "@/events/content/schema";
import type { Page } from "playwright";
import { launchBrowser } from "@/tests/support/product/browser";
import { signUp } from "@/tests/support/writers/people";
import type { Person } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import { readTrace, traceClients, traceEdits } from "@/tests/support/recordings/traces";
import type { Trace, TraceEdit } from "@/tests/support/recordings/traces";
import { granted } from "@/tests/support/writers/workspaces";
import { meet } from "@/tests/support/writers/writers";
import { percentile } from "./figures/percentile";
import { openSignedIn } from "./sessions/signed-in-page";

const openings = Number(process.env.ROUNDS ?? 7);
const most = 1500;
const perAppend = 100;

/**
 * Returns the recording in its own order, cut where the typist changes or a second has passed, like
 * one flush.
 */
function inOrder(edits: TraceEdit[]): TraceEdit[][] {
  const batches: TraceEdit[][] = [];
  for (const edit of edits) {
    const batch = batches.at(-1);
    const [first] = batch ?? [];
    if (batch && first && first.agent === edit.agent && edit.time - first.time < 1000)
      batch.push(edit);
    else batches.push([edit]);
  }
  return batches;
}

async function lay(trace: Trace, people: Person[], documentId: string): Promise<number> {
  const stores: RawStore[] = people.map(({ client }) => supabaseStore(client));
  const batches = inOrder(traceEdits(trace));
  const bound = new Set<number>();
  for (let at = 0; at < batches.length;) {
    const agent = batches[at]?.[0]?.agent ?? 0;
    let end = at;
    while (end < batches.length && end - at < perAppend && batches[end]?.[0]?.agent === agent)
      end += 1;
    const proposals = batches.slice(at, end).map((edits, index) => ({
      id: randomUUID(),
      type: "document.edited",
      body: {},
      clientTime: new Date(edits[0]?.time ?? 0).toISOString(),
      update: encodeEdits(edits),
      clientIds: bound.has(agent) || index > 0 ? [] : [traceClients[agent] ?? 0],
      schema: schemaVersion,
    }));
    const store = stores[agent];
    if (!store) throw new Error(`No store for agent ${agent}`);
    granted(await store.append(documentId, null, proposals));
    bound.add(agent);
    at = end;
  }
  return batches.length;
}

/**
 * Waits until maintenance, which runs every 32 versions, has built segments of the document's
 * history. Otherwise the number of segments at an opening, and the amount that is read, would
 * depend on how fast the history was laid.
 */
async function sealed({ client }: Person, documentId: string, events: number): Promise<void> {
  for (let at = 0; at < events - 32; await delay(500))
    for await (const { toVersion } of storedSegments(client, documentId)) at = toVersion;
}

/**
 * Milliseconds from the click to the slider, and to the last byte of the log. `requests` is the
 * number of requests.
 */
type Opening = { all: number; reading: number; requests: number };

async function open(page: Page): Promise<{ opening: Opening; newest: string }> {
  await page.evaluate(() => {
    performance.clearResourceTimings();
    const times = { clicked: 0, shown: 0 };
    Object.assign(window, { benchTimes: times });
    addEventListener("click", (event) => (times.clicked = event.timeStamp), {
      capture: true,
      once: true,
    });
    new MutationObserver(() => {
      if (times.shown === 0 && document.querySelector("[role=slider]") !== null)
        times.shown = performance.now();
    }).observe(document.body, { subtree: true, childList: true });
  });
  await page.getByRole("button", { name: "History" }).click();
  const slider = page.getByRole("slider", { name: "Moment" });
  await slider.waitFor();
  const newest = (await slider.getAttribute("aria-valuetext")) ?? "";
  // A visible slider that does not move yet is not ready.
  await slider.press("5");
  await page.waitForFunction(
    (before) => document.querySelector("[role=slider]")?.getAttribute("aria-valuetext") !== before,
    newest,
  );
  const opening = await page.evaluate(() => {
    // The script above sets these in the same page.
    const { clicked, shown } = (
      window as unknown as { benchTimes: { clicked: number; shown: number } }
    ).benchTimes;
    const ends = performance
      .getEntriesByType("resource")
      .flatMap((entry) =>
        /read_events/.test(entry.name) && entry.startTime < shown
          ? [entry.startTime + entry.duration]
          : [],
      );
    return {
      all: shown - clicked,
      reading: Math.max(...ends, clicked) - clicked,
      requests: ends.length,
    };
  });
  return { opening, newest };
}

async function benchHistory(trace: Trace): Promise<void> {
  const stack = await startStack();
  const browser = await launchBrowser();
  try {
    const people: Person[] = [];
    for (const name of ["Ana", "Ben", "Carol"]) people.push(await signUp(stack, name));
    const documentId = await meet(people);
    const events = await lay(trace, people, documentId);
    const [ana] = people;
    if (!ana) throw new Error("The recording has no accounts");
    await sealed(ana, documentId, events);
    const page = await openSignedIn(browser, stack, ana, documentId);
    const took: Opening[] = [];
    let sliderText = "";
    for (let round = 0; round < openings; round += 1) {
      const { opening, newest } = await open(page);
      took.push(opening);
      sliderText = newest;
      await page.goto(`/d/${documentId}`);
      await page
        .getByRole("status")
        .filter({ hasText: /\bSaved\b/ })
        .first()
        .waitFor();
    }
    const middle = (part: keyof Opening) =>
      percentile(
        took.map((opening) => opening[part]),
        0.5,
      ).toFixed(0);
    console.log(
      `${trace.name}: ${trace.txns.length} transactions in ${events} events; the slider says "${sliderText}"`,
    );
    console.log(
      "Click on History to the slider in the page, each on a " +
        `page just loaded, ms: median ${middle("all")}, most ` +
        `${Math.max(...took.map(({ all }) => all)).toFixed(0)}; ` +
        `of the median ${middle("reading")} until the last of ${middle("requests")} ` +
        `answers was read (${openings} openings; load ` +
        `${(loadavg()[0] ?? NaN).toFixed(1)})`,
    );
    if (
      !(
        percentile(
          took.map(({ all }) => all),
          0.5,
        ) <= most
      )
    ) {
      console.error(`The median must be at most ${most} ms.`);
      process.exitCode = 1;
    }
  } finally {
    await browser.close();
    await stack.dispose();
  }
}

const trace = readTrace("clownschool");
if (trace) await benchHistory(trace);
else
  console.log(
    "clownschool: the recording is not here, not measured (PALIMPSEST_TRACES names its folder)",
  );
