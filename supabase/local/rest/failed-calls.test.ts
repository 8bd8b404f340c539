import postgres from "postgres";
import { expect, it } from "vitest";
import { hearError } from "../database/database-errors";
import { callOf } from "../http/call.fixture";
import { answerRest } from "./rest-calls";

/** Creates REST on a database whose statements fail with an error that Supabase Lite lacks. */
function failing(code: string) {
  const error = Object.assign(new postgres.PostgresError(""), { code, message: "failed" });
  const answer = answerRest(
    async () => {
      hearError(error);
      return Response.json({ code: "SUP", message: "failed" }, { status: 500 });
    },
    async () => new Set(),
  );
  return (request: Request) => answer(callOf(request), new Uint8Array());
}

const call = (method: "GET" | "POST") =>
  new Request("http://localhost/rest/v1/rpc/accept_invitation", { method });

it.each(["55P03", "57014", "40P01", "53100"])(
  "[API-93] a call that ended by %s says when it may be repeated",
  async (code) => {
    const answer = await failing(code)(call("POST"));
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await answer.json()).toEqual({ code, details: null, hint: null, message: "failed" });
  },
);

it("[API-93] supabase-js is not asked to repeat a read that timed out", async () => {
  const answer = await failing("57014")(call("GET"));
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([500, null]);
});
