import type { BrowserContext, ConsoleMessage, Page, Request, Worker } from "playwright";

/** Collects every fault in a browser's pages and workers, with the step at which it occurred. */
export type Quiet = {
  step(name: string): void;
  faults: string[];
  /** Returns the number of unanswered requests. */
  waiting(): number;
};

/** An aborted navigation, or a prefetch that is no longer needed, is not a fault. */
const given = /net::ERR_ABORTED/;

/**
 * Listens to a context from now on. `isExpected` names expected error responses, such as a missing
 * page.
 */
export function listen(
  context: BrowserContext,
  isExpected: (url: URL, status: number) => boolean = () => false,
): Quiet {
  const faults: string[] = [];
  const open = new Set<Request>();
  let at = "the beginning";
  const report = (what: string) => faults.push(`${at}: ${what}`);
  const onConsole = (message: ConsoleMessage) => {
    if (message.type() !== "error") return;
    const { url } = message.location();
    // The browser's message about a failed response repeats the report of the response.
    if (message.text().startsWith("Failed to load resource") && url) return;
    report(`console: ${message.text()} (${url})`);
  };
  const failed = (request: Request) => {
    open.delete(request);
    const failure = request.failure()?.errorText ?? "";
    if (!given.test(failure)) report(`${request.method()} ${request.url()}: ${failure}`);
  };
  context.on("console", onConsole);
  context.on("weberror", (fault) =>
    report(`thrown: ${fault.error().stack ?? fault.error().message}`),
  );
  context.on("request", (request) => {
    // Requests of a page that was left get no further report.
    if (request.isNavigationRequest()) open.clear();
    open.add(request);
  });
  context.on("requestfinished", (request) => open.delete(request));
  context.on("requestfailed", failed);
  context.on("response", (response) => {
    const status = response.status();
    if (status >= 400 && !isExpected(new URL(response.url()), status))
      report(`${response.request().method()} ${response.url()}: ${status}`);
  });
  context.on("serviceworker", (worker: Worker) => worker.on("console", onConsole));
  return { faults, step: (name) => (at = name), waiting: () => open.size };
}

/** Waits until everything that a click has started is finished. */
async function calm(page: Page, quiet: Quiet): Promise<void> {
  // Loaded code must run and its rendering be painted before the page is idle.
  const frames = () =>
    page.evaluate(
      () =>
        new Promise((settle) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => requestIdleCallback(settle, { timeout: 2_000 })),
          ),
        ),
    );
  await frames();
  // Polling need not end. The walk then continues.
  for (let turn = 0; turn < 600 && quiet.waiting() > 0; turn += 1) await frames();
  await frames();
}

const layers = '[role="dialog"], [role="menu"], [role="listbox"], [role="alertdialog"]';

const opensDialog = /^Share|…$/;

/** Returns the names of the controls that can be pressed now, in the top layer or on the page. */
async function pressables(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    for (const marked of document.querySelectorAll("[data-press]"))
      marked.removeAttribute("data-press");
    const open =
      document.activeElement?.closest(selector) ?? [...document.querySelectorAll(selector)].at(-1);
    const roles =
      'button, [role="button"], [role="menuitem"], [role="combobox"], [role="tab"], ' +
      '[role="radio"], [role="menuitemradio"], [role="switch"]';
    const shown = [...(open ?? document).querySelectorAll(roles)].filter(
      (element) =>
        element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) &&
        !element.matches(':disabled, [aria-disabled="true"]'),
    );
    return shown.map((element, index) => {
      element.setAttribute("data-press", String(index));
      return (element.getAttribute("aria-label") ?? element.textContent ?? "")
        .replace(/\s+/g, " ")
        .trim();
    });
  }, layers);
}

/**
 * Presses the first control with this name, and waits for the layer that opens. Returns false if
 * the control is gone or covered.
 */
async function press(page: Page, name: string, quiet: Quiet): Promise<boolean> {
  const index = (await pressables(page)).indexOf(name);
  if (index < 0) return false;
  const target = page.locator(`[data-press="${index}"]`);
  const opens = (await target.getAttribute("aria-haspopup")) !== null;
  const pressed = await target.click({ timeout: 10_000 }).then(
    () => true,
    () => false,
  );
  // The first menu's code loads on demand.
  const layer = page.locator(layers).locator('[role^="menuitem"], [role="option"], button').first();
  if (pressed && opens) await layer.waitFor();
  // A dialog's code also loads on demand, but its button does not announce the dialog.
  else if (pressed && opensDialog.test(name))
    await layer.waitFor({ timeout: 20_000 }).catch(() => undefined);
  await calm(page, quiet);
  return pressed;
}

type Walk = {
  page: Page;
  quiet: Quiet;
  /** Goes to the start of the walk and waits until the page is usable. */
  begin: () => Promise<void>;
  /** Controls that are not pressed, because they end the walk or act irreversibly. */
  leave: RegExp;
};

/**
 * Presses every control on a page and in the layers that open. Returns the names of all pressed
 * controls.
 */
export async function pressEverything({ page, quiet, begin, leave }: Walk): Promise<string[]> {
  const pressed: string[] = [];
  await begin();
  const start = page.url();
  const home = async () => {
    if (page.url() !== start || (await page.locator(layers).count()) > 0) await begin();
  };
  for (const name of new Set(await pressables(page))) {
    if (leave.test(name)) continue;
    quiet.step(`${start} › ${name}`);
    if (!(await press(page, name, quiet))) {
      // A layer that opened late covers the control.
      if ((await page.locator(layers).count()) === 0) continue;
      await begin();
      if (!(await press(page, name, quiet))) continue;
    }
    pressed.push(name);
    if ((await page.locator(layers).count()) > 0 && page.url() === start) {
      for (const inner of new Set(await pressables(page))) {
        if (leave.test(inner) || inner === name) continue;
        quiet.step(`${start} › ${name} › ${inner}`);
        if (!(await press(page, inner, quiet))) continue;
        pressed.push(`${name} › ${inner}`);
        await page.keyboard.press("Escape");
        // A layer that the control opened may take the focus later, together with another layer.
        await begin();
        if (!(await press(page, name, quiet)))
          throw new Error(`${name} cannot be pressed again after ${inner}`);
      }
    }
    await page.keyboard.press("Escape");
    await home();
  }
  return pressed;
}
