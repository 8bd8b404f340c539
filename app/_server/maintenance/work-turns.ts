import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { environment } from "@/supabase/environment";
import { serviceClient } from "@/supabase/server";

/** A database that one process alone has open needs no other name after a kill. */
const only = "00000000-0000-4000-8000-000000000001";
// Next loads a module once for each of its bundles; a process has one name in all of them.
const name = Symbol.for("palimpsest.work-process");

function thisProcess(): string {
  if (environment().embedded) return only;
  const known: unknown = Reflect.get(globalThis, name);
  if (typeof known === "string") return known;
  const made = randomUUID();
  Reflect.set(globalThis, name, made);
  return made;
}

/**
 * Of some kinds of work, those that wait and that no other process is doing: this one has their turn
 * from now on. `always` also answers kinds of which nothing waits. Without a service key there are
 * none.
 */
export async function takeWork(
  kinds: readonly string[],
  { always = false }: { always?: boolean } = {},
): Promise<string[]> {
  const service = serviceClient();
  if (!service) return [];
  const { data, error, status } = await service.rpc("take_work", {
    process: thisProcess(),
    kinds,
    always,
  });
  if (error) throw faultOf(error, status);
  return z.array(z.string()).parse(data);
}
