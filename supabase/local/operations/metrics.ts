import { setTimeout as delay } from "node:timers/promises";
import { collectDefaultMetrics, Counter, Gauge, Histogram, register } from "prom-client";
import type { LogLevel } from "./log";

/** Values read from other parts when metrics are requested. */
export type Sources = {
  connections: () => number;
  channels: () => number;
  bodiesWaiting: () => number;
  /** By the kind of turn that calls wait for. */
  callsWaiting: () => Readonly<Record<string, number>>;
  /** The free bytes of the data folder's disk. */
  freeBytes: () => Promise<number>;
};

export type Metrics = {
  request(kind: string, status: number, seconds: number): void;
  /** Counts an append by outcome ("recorded", "failed" or a refusal's name) and seconds. */
  append(outcome: string, seconds: number): void;
  logged(level: LogLevel): void;
  watch(sources: Sources): void;
  /** Adds the metrics of another process, in the same format and under their own names. */
  join(read: () => Promise<string>): void;
};

const others: (() => Promise<string>)[] = [];
/** How long another process may take to respond, in ms. */
const patience = 1_000;

/**
 * Creates this process's metrics for Prometheus, including Node's and the event loop's. They use
 * prom-client's global registry, to which the worker pools add their metrics.
 */
export function openMetrics(): Metrics {
  collectDefaultMetrics();
  const requests = new Histogram({
    name: "palimpsest_http_request_seconds",
    help: "Time from the head of a request to the end of its answer, by kind and class of status.",
    labelNames: ["kind", "status"],
    buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const appends = new Histogram({
    name: "palimpsest_append_seconds",
    help: "Time that append_events took, by outcome: recorded, failed, or the name of the refusal.",
    labelNames: ["outcome"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 8],
  });
  const lines = new Counter({
    name: "palimpsest_log_lines_total",
    help: "Lines of the log, by level.",
    labelNames: ["level"],
  });
  return {
    request: (kind, status, seconds) =>
      requests.observe({ kind, status: `${Math.floor(status / 100)}xx` }, seconds),
    append: (outcome, seconds) => appends.observe({ outcome }, seconds),
    logged: (level) => lines.inc({ level }),
    watch({ connections, channels, bodiesWaiting, callsWaiting, freeBytes }) {
      gauge("palimpsest_realtime_connections", "Open WebSockets.", connections);
      gauge("palimpsest_realtime_channels", "Topics that somebody has joined.", channels);
      gauge("palimpsest_bodies_waiting", "Request bodies that wait for room.", bodiesWaiting);
      gauges(
        "palimpsest_calls_waiting",
        "Calls that wait for others of their account or network, by kind.",
        callsWaiting,
      );
      gauge("palimpsest_free_bytes", "Free bytes of the disk with the data folder.", freeBytes);
    },
    join: (read) => void others.push(read),
  };
}

function gauge(name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    async collect() {
      this.set(await read());
    },
  });
}

/** Registers a gauge with one value per kind. */
function gauges(name: string, help: string, read: Sources["callsWaiting"]): void {
  new Gauge({
    name,
    help,
    labelNames: ["kind"],
    collect() {
      for (const [kind, value] of Object.entries(read())) this.set({ kind }, value);
    },
  });
}

/** Returns all metrics in Prometheus' text format. */
export async function metricsText(): Promise<Response> {
  const texts = await Promise.all([
    register.metrics(),
    ...others.map((read) => Promise.race([read(), delay(patience, "", { ref: false })])),
  ]);
  return new Response(texts.filter(Boolean).join("\n"), {
    headers: { "content-type": register.contentType, "cache-control": "no-store" },
  });
}
