import { expect, test } from "vitest";
import { securityPolicy } from "./security-policy";

const embedded = {
  nonce: "abc",
  backend: null,
  host: "localhost:3000",
  secure: false,
  development: false,
};

test("[ACC-10] scripts run by nonce only; objects, framing, bases and foreign forms are refused", () => {
  const policy = securityPolicy(embedded);
  expect(policy).toContain("script-src 'self' 'nonce-abc' 'strict-dynamic';");
  expect(policy).not.toMatch(/script-src[^;]*unsafe/);
  for (const rule of [
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]) {
    expect(policy).toContain(rule);
  }
  expect(policy).toContain("connect-src 'self' ws://localhost:3000;");
});

test("[ACC-10] pages may reach a hosted project by request and by socket", () => {
  const policy = securityPolicy({
    ...embedded,
    backend: "https://p.supabase.example",
    secure: true,
  });
  expect(policy).toContain(
    "connect-src 'self' wss://localhost:3000 https://p.supabase.example wss://p.supabase.example;",
  );
});
