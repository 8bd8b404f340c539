import { access } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Call } from "./http/call";
import { refusal } from "./http/refusals";

type Handler = (request: Request) => Response | Promise<Response>;

type AnswerFunction = (
  call: Pick<Call, "url" | "caller">,
  request: Request,
) => Response | Promise<Response>;

/**
 * Serves `supabase/functions/<name>/index.ts` at `/functions/v1/<name>`. The files call
 * `Deno.serve(handler)`, as on Supabase Edge Functions. With `verify_jwt`, the default, a call
 * needs a token. `functions` is the section `[functions.<name>]` of config.toml.
 */
export function serveFunctions(
  root: string,
  variables: Readonly<Record<string, string>>,
  functions: Readonly<Record<string, { verify_jwt: boolean }>>,
): AnswerFunction {
  const loaded = new Map<string, Promise<Handler | null>>();
  return async ({ url, caller }, request) => {
    const name = /^\/functions\/v1\/([a-z0-9_-]+)(?:\/|$)/.exec(url.pathname)?.[1];
    if (!name) return refusal(404, "function_not_found", "No such function");
    const loading =
      loaded.get(name) ?? load(join(root, "supabase", "functions", name, "index.ts"), variables);
    loaded.set(name, loading);
    const handler = await loading.catch((error: unknown) => {
      loaded.delete(name);
      if (!isForeignImport(error)) throw error;
      return () =>
        refusal(
          501,
          "import_not_supported",
          `The embedded backend does not offer imports by npm:, jsr: or https: in functions, which ${name} has.`,
        );
    });
    if (handler) {
      const verifies = functions[name]?.verify_jwt ?? true;
      if (verifies && request.method !== "OPTIONS" && caller.claims === null)
        return refusal(401, "invalid_jwt", "This function requires a bearer token.");
      return handler(request);
    }
    loaded.delete(name);
    return refusal(404, "function_not_found", "No such function");
  };
}

/** Whether an import is of neither a file nor an installed package, for which Node fails. */
const isForeignImport = (error: unknown) =>
  error instanceof Error && "code" in error && error.code === "ERR_UNSUPPORTED_ESM_URL_SCHEME";

let turn: Promise<unknown> = Promise.resolve();

/** Loads one file at a time, so that a call of `Deno.serve` belongs to that file. */
function load(file: string, variables: Readonly<Record<string, string>>): Promise<Handler | null> {
  const loading = turn.then(async () => {
    const exists = await access(file).then(
      () => true,
      () => false,
    );
    if (!exists) return null;
    let handler: Handler | null = null;
    const deno: typeof Deno = {
      serve(given) {
        handler = given;
      },
      env: { get: (name) => variables[name] ?? process.env[name] },
    };
    Object.assign(globalThis, { Deno: deno });
    // Imported on first use: a TypeScript loader slows all later imports.
    const { tsImport } = await import("tsx/esm/api");
    await tsImport(pathToFileURL(file).href, import.meta.url);
    return handler;
  });
  turn = loading.catch(() => undefined);
  return loading;
}
