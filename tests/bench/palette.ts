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

/**
 * From the next key that is pressed to the frame in which something that it brings is drawn, in ms,
 * by the page's own clock. As text: what the loader of this file puts into functions is not in the page.
 */
const untilDrawn = (selector: string) => `new Promise((resolve) => {
  let pressed = 0;
  addEventListener("keydown", (event) => (pressed = event.timeStamp), { capture: true, once: true });
  const look = () =>
    pressed === 0 || document.querySelector(${JSON.stringify(selector)}) === null
      ? requestAnimationFrame(look)
      : requestAnimationFrame(() => resolve(performance.now() - pressed));
  requestAnimationFrame(look);
})`;

/** The peer: a dialog of the browser's own with as many rows, without a framework, a list that is filtered, or a law. */
const bareDialog = `addEventListener("keydown", (event) => {
  if (event.key !== "F9") return;
  const dialog = document.createElement("dialog");
  dialog.id = "bare";
  const field = document.createElement("input");
  dialog.append(field, ...Array.from({ length: 30 }, (_, index) => {
    const row = document.createElement("button");
    row.textContent = "Meeting " + index + " about the roof";
    return row;
  }));
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
})`;

async function series(page: Page, key: string, selector: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const drawn = page.evaluate<number>(untilDrawn(selector));
    await page.keyboard.press(key);
    times.push(await drawn);
    await page.keyboard.press("Escape");
    await page.locator(selector).first().waitFor({ state: "detached" });
  }
  return times;
}

const told = (times: readonly number[]) =>
  `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms, first ${times[0]?.toFixed(0)} ms`;

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
  await page.evaluate(bareDialog);
  const bare = await series(page, "F9", "#bare[open] button");
  console.log(
    `a workspace of ${documents} documents, ${rounds} rounds; load ${loadavg()[0]?.toFixed(1)}`,
  );
  console.log(`palette, from the key to its first rows drawn: ${told(palette)}`);
  console.log(`a bare dialog of the same page, likewise: ${told(bare)}`);
  const ratio = percentile(palette, 0.5) / percentile(bare, 0.5);
  console.log(`ratio ${ratio.toFixed(2)}; limit for the palette: 100 ms`);
} finally {
  await browser.close();
  await stack.dispose();
}
