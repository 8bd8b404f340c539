import { describe, expect, test } from "vitest";
import {
  hostAllowed,
  isLoopback,
  isSecure,
  mayLinkTo,
  originAllowed,
  stripSteering,
} from "./origin";

describe("the reverse proxy", () => {
  test.each(["localhost:3000", "127.0.0.1", "[::1]:3000", "LOCALHOST", "wiki.example:8080"])(
    "[DOOR-1] answers under %s",
    (host) => {
      expect(hostAllowed(host, ["Wiki.example"])).toBe(true);
    },
  );

  test.each([
    undefined,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "localhost@evil.example",
    "localhost:3000:1",
    "[::1",
    "169.254.169.254",
    "localhost\r\nx: y",
  ])("[DOOR-1] does not answer under %j", (host) => {
    expect(hostAllowed(host, ["wiki.example"])).toBe(false);
  });

  test("[DOOR-1] listening everywhere, answers under every IP address and no unknown name", () => {
    expect(
      ["192.168.0.9:3000", "[fe80::1]:3000"].every((host) => hostAllowed(host, ["0.0.0.0"])),
    ).toBe(true);
    expect(
      ["evil.example", "192.168.0.9.evil.example"].some((host) => hostAllowed(host, ["0.0.0.0"])),
    ).toBe(false);
    expect(hostAllowed("192.168.0.9:3000", ["127.0.0.1"])).toBe(false);
  });

  test("[DOOR-1] a mail links to this server's own addresses only, whatever the Host", () => {
    const own = ["192.168.0.9", "fe80::1"];
    expect(
      ["192.168.0.9:3000", "[fe80::1]:3000", "localhost:3000", "wiki.example"].every((host) =>
        mayLinkTo(host, ["0.0.0.0", "wiki.example"], own, 3000),
      ),
    ).toBe(true);
    expect(
      ["6.6.6.6:3000", "[fe80::2]", "evil.example", "localhost:6666", "wiki.example:80"].some(
        (host) => mayLinkTo(host, ["0.0.0.0", "wiki.example"], own, 3000),
      ),
    ).toBe(false);
  });

  const host = "localhost:3000";
  test.each([
    { host, origin: "http://localhost:3000" },
    { host: "wiki.example", origin: "https://wiki.example" },
    { host },
    { host, "sec-fetch-site": "same-origin" },
  ])("[DOOR-2] allows a change with %j", (headers) => {
    expect(originAllowed(headers)).toBe(true);
  });

  test.each([
    { host, origin: "null" },
    { host, origin: "" },
    { host, origin: "http://evil.example" },
    { host, origin: "http://localhost:3001" },
    { host, origin: "http://localhost:3000.evil.example" },
    { host, origin: "file://localhost:3000" },
    { host, "sec-fetch-site": "cross-site" },
    { host, "sec-fetch-site": "same-site" },
  ])("[DOOR-2] refuses %j", (headers) => {
    expect(originAllowed(headers)).toBe(false);
  });

  test("[DOOR-3] removes headers that steer a framework past its checks, and no others", () => {
    const headers = {
      "x-middleware-subrequest": "middleware:middleware",
      "x-middleware-rewrite": "/account",
      "x-forwarded-host": "evil.example",
      forwarded: "host=evil.example",
      "x-proxy-path": '/"><script>',
      "x-invoke-path": "/account",
      "x-original-url": "/account",
      host: "localhost",
      "next-action": "1",
      rsc: "1",
    };
    stripSteering(headers);
    expect(Object.keys(headers)).toEqual(["host", "next-action", "rsc"]);
  });

  test.each([
    [{}, true, false],
    [{ "x-forwarded-proto": "https" }, true, true],
    [{ "x-forwarded-proto": "HTTPS" }, true, true],
    [{ "x-forwarded-proto": "http, https" }, true, true],
    [{ "x-forwarded-proto": "https, http" }, true, false],
    [{ "x-forwarded-proto": "http" }, true, false],
    [{ "x-forwarded-proto": "https" }, false, false],
  ])("[DOOR-62] %j, behind a proxy of ours %j, came over https: %j", (headers, trusts, secure) => {
    expect(isSecure(headers, trusts)).toBe(secure);
  });

  test("[DOOR-5] tells this machine from others", () => {
    expect(["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"].every(isLoopback)).toBe(true);
    expect(["10.0.0.1", "::ffff:10.0.0.1", "127.0.0.1.evil", "unknown", ""].some(isLoopback)).toBe(
      false,
    );
  });
});
