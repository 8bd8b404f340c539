import type { Caller } from "../auth/api-key";
import type { Call } from "./call";

/** Creates a call with only the publishable key, unless `caller` overrides it. */
export function callOf(head: Request, caller: Partial<Caller> = {}): Call {
  const peer = "10.0.0.1";
  return {
    head,
    url: new URL(head.url),
    caller: { kind: "anybody", claims: null, payer: peer, ...caller },
    peer,
    gone: new AbortController().signal,
  };
}
