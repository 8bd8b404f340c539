import { isIPv6 } from "node:net";

/**
 * The part of a network address that one caller cannot choose: an IPv4 address whole, also as IPv6 writes it, and of an
 * IPv6 address the first 64 bits, because whoever has one has all that share them.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.replace(/%.*$/, "").toLowerCase().split("::");
  const before = head.split(":").filter(Boolean);
  const after = (tail ?? "").split(":").filter(Boolean);
  const zeros =
    tail === undefined
      ? []
      : Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  const groups = [...before, ...zeros, ...after].slice(0, 4);
  return `${groups.map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
