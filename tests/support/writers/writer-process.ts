// One person in a separate process, controlled by the test that forked it.
import { status } from "@/machines/sync/sync-status";
import { signInAgain } from "./people";
import { recordedTyping, textOf } from "../recordings/recorded-typing";
import { readTrace, traceEdits } from "../recordings/traces";
import type { Order, Report } from "./writer-orders";
import { write } from "./writers";
import type { Writer } from "./writers";

let writer: Writer | null = null;
const send = (report: Report) => process.send?.(report);

async function open({
  url,
  key,
  person,
  documentId,
}: Extract<Order, { kind: "open" }>): Promise<void> {
  const again = await signInAgain({ url, keys: { publishableKey: key } }, person);
  writer = write(again, documentId);
  await writer.live.loaded;
  send({ kind: "opened" });
}

async function type(agent: number): Promise<void> {
  const trace = readTrace("clownschool");
  if (!trace || !writer) throw new Error("Nothing is open, or the recording is not at hand.");
  await recordedTyping(trace, traceEdits(trace))(writer.live, agent);
  send({ kind: "typed" });
}

async function obey(order: Order): Promise<void> {
  if (order.kind === "open") return open(order);
  if (order.kind === "type") return type(order.agent);
  if (!writer) throw new Error("Nothing is open.");
  const { live, replaced, person } = writer;
  if (order.kind === "look") {
    send({
      kind: "seen",
      label: status(live.sync.getSnapshot()).label,
      version: live.version,
      text: textOf(live.doc),
      replaced,
      rebuiltFor: live.debug().page.rebuiltFor,
    });
    return;
  }
  await live.close();
  await person.client.realtime.disconnect();
  process.disconnect();
}

process.on("message", (order: Order) => {
  obey(order).catch((fault: unknown) =>
    send({
      kind: "failed",
      why: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
    }),
  );
});
