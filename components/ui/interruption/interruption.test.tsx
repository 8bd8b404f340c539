import { readdir, readFile } from "node:fs/promises";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { Interruption, InterruptionActions } from "./interruption";

it("[WRITE-50] is announced and focusable, takes no focus, and has no default button", () => {
  const html = renderToStaticMarkup(
    <Interruption title="Sign in to continue" description="You’ve been signed out.">
      <InterruptionActions>
        <button type="button">Sign in</button>
      </InterruptionActions>
    </Interruption>,
  );
  expect(html).toMatch(/<section[^>]* role="dialog"[^>]* tabindex="-1"/);
  expect(html).toMatch(/<div role="alert">.*Sign in to continue.*You’ve been signed out\..*F6/);
  expect(html).not.toMatch(/autofocus|aria-modal/i);
});

it("[WRITE-50] is used by every session dialog that opens by itself", async () => {
  const files = (await readdir("components/session")).filter((file) => file.endsWith(".tsx"));
  const sources = await Promise.all(
    files.map(
      async (file) => [file, await readFile(`components/session/${file}`, "utf8")] as const,
    ),
  );
  const using = (module: string) =>
    sources.filter(([, source]) => source.includes(module)).map(([file]) => file);
  expect(using("ui/dialog")).toEqual([]);
  expect(using("@radix-ui")).toEqual([]);
  expect(using("ui/interruption")).toEqual(["other-person.tsx", "sign-in-again.tsx"]);
});
