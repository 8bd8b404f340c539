import { randomUUID } from "node:crypto";
import { loadavg } from "node:os";
import type { Page } from "playwright";
import { supabaseStore } from "@/events/log/store";
import { launchBrowser } from "@/tests/support/browser";
import { signUp, type Person } from "@/tests/support/people";
import { startStack } from "@/tests/support/stack";
import { granted } from "@/tests/support/workspaces";
import { meet } from "@/tests/support/writers";
import { percentile } from "./percentile";
import { openSignedIn } from "./signed-in-page";

const documents = Number(process.env.DOCUMENTS ?? 1_000);
const rounds = Number(process.env.ROUNDS ?? 30);

/** Fills the workspace of a document with others. */
async function fill(person: Person, documentId: string): Promise<void> {
  const { data } = await person.client
    .from("documents")
    .select("workspace_id")
    .eq("id", documentId)
    .single();
  const workspaceId: unknown = data?.workspace_id;
  const store = supabaseStore(person.client);
  for (let index = 0; index < documents; index += 1)
    granted(
      await store.append(randomUUID(), 0, [
        {
          id: randomUUID(),
          type: "document.created",
          body: { workspaceId: String(workspaceId), title: `Meeting ${index} about the roof` },
        },
      ]),
    );
}

/** From a key to the frame in which something that it brings is drawn, in ms, by the page's own clock. */
async function measured(page: Page, key: string, selector: string): Promise<number> {
  const drawn = page.evaluate(
    (wanted) =>
      new Promise<number>((resolve) => {
        let pressed = 0;
        addEventListener("keydown", (event) => (pressed = event.timeStamp), {
          capture: true,
          once: true,
        });
        const look = () => {
          if (pressed === 0 || document.querySelector(wanted) === null)
            return requestAnimationFrame(look);
          return requestAnimationFrame(() => resolve(performance.now() - pressed));
        };
        requestAnimationFrame(look);
      }),
    selector,
  );
  await page.keyboard.press(key);
  return drawn;
}

async function series(page: Page, key: string, selector: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(await measured(page, key, selector));
    await page.keyboard.press("Escape");
    await page.locator(selector).waitFor({ state: "detached" });
  }
  return times;
}

const told = (times: readonly number[]) => {
  const [p50, p95, first] = [percentile(times, 0.5), percentile(times, 0.95), times[0] ?? NaN];
  return `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, first ${first.toFixed(0)} ms`;
};

const stack = await startStack();
const browser = await launchBrowser();
try {
  const person = await signUp(stack, "Ana");
  const documentId = await meet([person]);
  await fill(person, documentId);
  const page = await openSignedIn(browser, stack, person, documentId);
  await page.getByRole("textbox", { name: "Document text" }).click();
  await page.keyboard.type("The roof leaks.");
  const palette = await series(page, "Control+k", "[cmdk-list] [role=option]");
  // The peer: a dialog of the same page that shows a list which does not grow.
  const keys = await series(page, "Control+/", "[role=dialog] kbd");
  console.log(
    `a workspace of ${documents} documents, ${rounds} rounds; load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`palette, from the key to its first rows drawn: ${told(palette)}`);
  console.log(`list of keys, likewise: ${told(keys)}`);
  const ratio = percentile(palette, 0.5) / percentile(keys, 0.5);
  console.log(`ratio ${ratio.toFixed(2)}; limit for the palette: 100 ms`);
} finally {
  await browser.close();
  await stack.dispose();
}
