import { expect, test } from "vitest";
import { readSettings } from "../settings";
import { isOwnMachine } from "./own-machine";

const plain = { host: "localhost:3000" };

function ask(
  headers: Record<string, string> = plain,
  {
    address = "127.0.0.1",
    httpVersion = "1.1",
    env = {},
  }: { address?: string; httpVersion?: string; env?: Record<string, string> } = {},
): boolean {
  return isOwnMachine(
    { headers, httpVersion, socket: { remoteAddress: address } },
    readSettings(env, [], "."),
  );
}

test.each(["localhost", "LOCALHOST:3000", "127.0.0.1:3000", "[::1]:3000"])(
  "[DOOR-60] a request from this machine to %s counts as local",
  (host) => {
    for (const address of ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1"])
      expect(ask({ host }, { address }), address).toBe(true);
  },
);

test.each([
  ["another machine", plain, { address: "192.168.0.9" }],
  ["an unknown address", plain, { address: "" }],
  ["no Host", {}, {}],
  ["a public Host", { host: "docs.example.org" }, {}],
  ["a Host that begins like ours", { host: "localhost.example.org" }, {}],
  ["a Host that resolves to this machine", { host: "127.0.0.1.example.org" }, {}],
  ["the machine's address in its network", { host: "192.168.0.2:3000" }, {}],
  ["a Host with a user", { host: "localhost@example.org" }, {}],
  ["HTTP/1.0", plain, { httpVersion: "1.0" }],
  ...[
    "forwarded",
    "via",
    "cdn-loop",
    "x-forwarded",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-forwarded-server",
    "x-real-ip",
    "x-original-host",
    "x-proxy-user-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-envoy-external-address",
    "cf-connecting-ip",
    "true-client-ip",
    "fastly-client-ip",
    "x-request-id",
    "x-remote-addr",
  ].map((name) => [name, { ...plain, [name]: "127.0.0.1" }, {}] as const),
  ["SITE_URL", plain, { env: { SITE_URL: "https://docs.example.org" } }],
  ["ALLOWED_HOSTS", plain, { env: { ALLOWED_HOSTS: "docs.example.org" } }],
  ["MAIL_PAGE=0", plain, { env: { SITE_URL: "https://docs.example.org", MAIL_PAGE: "0" } }],
] as const)("[DOOR-60] %s does not count as this machine", (_what, headers, options) => {
  expect(ask({ ...headers }, options)).toBe(false);
});

test("[DOOR-60] MAIL_PAGE=1 opens the mail page when published, under the same rule", () => {
  const env = { SITE_URL: "https://docs.example.org", MAIL_PAGE: "1" };
  expect(ask(plain, { env })).toBe(true);
  expect(ask({ ...plain, "x-forwarded-for": "127.0.0.1" }, { env })).toBe(false);
  expect(ask({ host: "docs.example.org" }, { env })).toBe(false);
});

test("[DOOR-61] the demo is off on a published installation, unless DEMO=1", () => {
  const demo = (env: Record<string, string>) => readSettings(env, [], ".").demo;
  expect(demo({})).toBe(true);
  expect(demo({ DEMO: "0" })).toBe(false);
  expect(demo({ SITE_URL: "https://docs.example.org" })).toBe(false);
  expect(demo({ ALLOWED_HOSTS: "docs.example.org" })).toBe(false);
  expect(demo({ ALLOWED_HOSTS: "docs.example.org", DEMO: "1" })).toBe(true);
});
