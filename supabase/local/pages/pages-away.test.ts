import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerAway } from "./pages-away";

const server = createServer((incoming, outgoing) => void answerAway(incoming, outgoing));
let url: string;

beforeAll(async () => {
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

describe("[START-52] a page that cannot be rendered now", () => {
  it("answers people with a page that reloads itself and runs no script", async () => {
    const answer = await fetch(url, { headers: { accept: "text/html,*/*;q=0.8" } });
    expect(answer.status).toBe(503);
    expect(await answer.text()).toContain('<meta http-equiv="refresh" content="2">');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "retry-after": "1",
      "content-type": "text/html; charset=utf-8",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    });
  });

  it("answers programs with a refusal, also while they still send", async () => {
    const body = Buffer.alloc(60_000);
    const answer = await fetch(url, { method: "POST", body, headers: { accept: "*/*" } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(await answer.json()).toMatchObject({ code: "pages_away" });
  });
});
