import type { TestBackend } from "./backend";
import { raw } from "./raw";

export type AuthCall = {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  token?: string;
};

/**
 * Sends bodies to auth byte by byte, each from another address. Behind a trusted proxy
 * (`TRUST_PROXY`) the request names its own address, so that one test can act as many machines.
 */
export function authCalls(stack: () => TestBackend) {
  let callers = 0;
  return async (
    body: string | Buffer,
    { method = "POST", path = "token?grant_type=password", headers = {}, token }: AuthCall = {},
  ) => {
    callers += 1;
    const { url, port, keys } = stack();
    const answer = await raw(`${url}/auth/v1/${path}`, {
      method,
      headers: {
        host: `127.0.0.1:${port}`,
        apikey: keys.publishableKey,
        "content-type": "application/json",
        ...(!headers["transfer-encoding"] && { "content-length": String(Buffer.byteLength(body)) }),
        "x-forwarded-for": `10.${callers >> 16}.${(callers >> 8) & 255}.${callers & 255}`,
        ...(token && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body,
    });
    return { ...answer, code: /"(?:error_)?code":"(\w+)"/.exec(answer.text)?.[1] };
  };
}
