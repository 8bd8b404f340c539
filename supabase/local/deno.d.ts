/**
 * The part of Deno's API that functions may use, on Supabase Edge Functions and in the embedded
 * backend.
 */
declare namespace Deno {
  function serve(handler: (request: Request) => Response | Promise<Response>): void;
  const env: { get(name: string): string | undefined };
}
