import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { faultOf } from "@/events/log/store";
import { environment } from "@/supabase/environment";
import { serviceClient } from "@/supabase/server";

/**
 * The process name with an embedded database, which has a single process. A constant lets a
 * restarted process keep the leases of a killed one.
 */
const only = "00000000-0000-4000-8000-000000000001";
// The name is global: Next loads a module once per bundle, and the process has one name.
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
 * Leases the kinds of work that have pending items and that no other process is doing, and returns
 * them. `always` includes kinds without pending items. Returns none without a service key.
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
