import type { Browser, Locator } from "playwright";
import { afterAll, beforeAll, expect, it } from "vitest";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";
import { freePort, launch } from "@/tests/support/product/stack";
import type { Launch } from "@/tests/support/product/stack";
import { bringIn } from "@/tests/support/writers/writers";
import { derivedWithin } from "../support/derived";
import { middleman } from "../support/middleman";
import type { Middleman } from "../support/middleman";
import { newDocument, person, saved, text, writable } from "../support/person";
import type { Person } from "../support/person";
import { closeContexts, sharedBrowser } from "../support/browser/shared-browser";

/** One process of the product on another process's backend, as on a hosted project. */
type Served = { run: Launch; between: Middleman; derived: Set<string> };

const ofBackend = /^\/(auth|rest|realtime|functions|storage)\/v1\//;
/** What the service writes for a document that has changed. */
const derivations = ["write_index", "write_links", "write_lines"];

let backend: TestBackend;
let one: Served;
let other: Served;
let browser: Browser;
let ana: Person;
let ben: Person;
let path: string;

beforeAll(async () => {
  backend = await testBackend();
  await countWork();
  [one, other] = await Promise.all([serve(), serve()]);
  browser = await sharedBrowser();
  [ana, ben] = await Promise.all([
    person(browser, "Ana", "block", one.between.url),
    person(browser, "Ben", "block", other.between.url),
  ]);
  path = await newDocument(ana, "Tide table");
  await bringIn(ana, ben, ana.workspace, "editor");
});

afterAll(async () => {
  await closeContexts();
  for (const { run, between } of [one, other]) {
    run.child.kill("SIGTERM");
    await run.ended;
    await between.close();
  }
  await backend.stop();
});

async function serve(): Promise<Served> {
  const port = await freePort();
  const derived = new Set<string>();
  const between = await middleman((path) => {
    const name = /^\/rest\/v1\/rpc\/(\w+)/.exec(path)?.[1] ?? "";
    if (derivations.includes(name)) derived.add(name);
    return ofBackend.test(path) ? backend.url : `http://127.0.0.1:${port}`;
  });
  const run = launch({
    port,
    env: {
      NEXT_PUBLIC_SUPABASE_URL: between.url,
      NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: backend.keys.publishableKey,
      SUPABASE_SECRET_KEY: backend.keys.secretKey,
    },
  });
  await run.ready();
  return { run, between, derived };
}

/**
 * Records in the database for which versions a document's index and links were written, and every
 * time that a mark already taken was taken again.
 */
async function countWork(): Promise<void> {
  await backend.sql.unsafe(`
    create schema counted;
    create table counted.work (kind text not null, document uuid not null, version bigint);
    create function counted.derived() returns trigger language plpgsql security definer as $$
    begin
      if tg_op = 'INSERT' or new.failed_at is null then
        insert into counted.work values (tg_table_name, new.stream_id, new.version);
      end if;
      return null;
    end $$;
    create function counted.indexed() returns trigger language plpgsql security definer as $$
    begin
      insert into counted.work values (tg_table_name, new.stream_id, new.version);
      return null;
    end $$;
    create function counted.taken_twice() returns trigger language plpgsql security definer as $$
    begin
      insert into counted.work values (tg_table_name || ' twice', new.stream_id, null);
      return null;
    end $$;
    create trigger z_count after insert or update on private.link_states
      for each row execute function counted.derived();
    create trigger z_count after insert or update on private.search_states
      for each row execute function counted.indexed();
    create trigger z_count after update on private.stale_lines for each row
      when (old.taken_at is not null and new.taken_at <> old.taken_at)
      execute function counted.taken_twice();
    create trigger z_count after update on private.upkeep for each row
      when (old.taken_at is not null and new.taken_at <> old.taken_at)
      execute function counted.taken_twice();`);
}

/** What was derived for the document's newest version, and what was done more than once. */
async function work() {
  const document = path.split("/").at(-1) ?? "";
  const derived = await backend.sql<{ kind: string }[]>`
    select distinct w.kind from counted.work w join private.streams s on s.id = w.document
    where s.id = ${document} and w.version = s.version order by 1`;
  const lines = await backend.sql`
    select from public.change_lines c join private.streams s on s.id = c.stream_id
    where s.id = ${document} and c.version = s.version limit 1`;
  const twice = await backend.sql<{ kind: string }[]>`
    select kind from counted.work group by kind, document, version
    having count(*) > 1 or version is null`;
  const [marks] = await backend.sql<{ left: number }[]>`
    select count(*)::int as left from private.stale_lines where stream_id = ${document}`;
  return {
    marksLeft: marks?.left,
    derived: [...derived.map(({ kind }) => kind), ...lines.map(() => "change_lines")],
    twice: twice.map(({ kind }) => kind),
  };
}

const allOnce = {
  marksLeft: 0,
  derived: ["link_states", "search_states", "change_lines"],
  twice: [],
};

const append = async ({ page }: Person, words: string) => {
  await text(page).click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(words);
  await saved(page);
};

/** A person's search results in the workspace. */
async function found({ page }: Person, words: string): Promise<string[]> {
  await page.goto(`/w/${ana.workspace}/search?q=${encodeURIComponent(words)}`);
  return page.getByRole("list", { name: "Results" }).locator("mark").allInnerTexts();
}

/** The last entry of the document's history. */
async function lastOf({ page }: Person): Promise<Locator> {
  await page.goto(`${path}?at=1`);
  const slider = page.getByRole("slider", { name: "Moment" });
  await page.goto(`${path}?at=${await slider.getAttribute("aria-valuemax")}`);
  return page.getByRole("region", { name: "Document at this moment" });
}

it("[HOSTED-5] two people on two processes see each other's words, and the same search results", async () => {
  await ben.page.goto(path);
  await writable(ben.page).waitFor();
  await append(ana, "Low water at noon. ");
  await text(ben.page).getByText("Low water at noon.").waitFor();
  await append(ben, "High water at six. ");
  await text(ana.page).getByText("High water at six.").waitFor();

  await expect.poll(work, { timeout: derivedWithin }).toEqual(allOnce);
  for (const name of derivations)
    expect(
      [one, other].filter(({ derived }) => derived.has(name)).length,
      name,
    ).toBeGreaterThanOrEqual(1);
  for (const who of [ana, ben])
    await expect.poll(() => found(who, "water")).toEqual(["water", "water"]);
  for (const who of [ana, ben]) {
    const shown = await lastOf(who);
    await expect
      .poll(() => shown.innerText())
      .toMatch(
        /Ana\s+4 words added\s+Ben\s+4 words added[^]*Low water at noon. High water at six./,
      );
  }
  await Promise.all([ana, ben].map(({ page }) => page.goto(path)));
}, 400_000);

it("[HOSTED-5] when one process is killed, the other continues and takes over its work", async () => {
  const killed = one.derived.has("write_index") ? one : other;
  const left = killed === one ? other : one;
  const [bereft, going] = killed === one ? [ana, ben] : [ben, ana];
  await Promise.all([ana, ben].map(({ page }) => writable(page).waitFor()));
  // The code that sends a text loads after it, from the process that is killed.
  await Promise.all([ana, ben].map(({ page }) => saved(page)));
  left.derived.clear();
  killed.run.child.kill("SIGKILL");
  await killed.run.ended;

  // The person whose pages came from the killed process keeps writing: the backend is another
  // process.
  await append(bereft, "Slack water at three. ");
  await text(going.page).getByText("Slack water at three.").waitFor();
  await append(going, "Ebb from seven. ");
  await text(bereft.page).getByText("Ebb from seven.").waitFor();

  await expect.poll(work, { timeout: derivedWithin }).toEqual(allOnce);
  expect([...left.derived].sort()).toEqual([...derivations].sort());
  await expect.poll(() => found(going, "water")).toEqual(["water", "water", "water"]);
}, 400_000);
