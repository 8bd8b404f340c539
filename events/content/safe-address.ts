import { isAllowedAddress } from "./link-address";

/**
 * Returns the address in the form in which links store it. Null if the address is not allowed or
 * this browser cannot parse it.
 */
export function safeAddress(address: unknown): string | null {
  if (typeof address !== "string") return null;
  const text = address.trim();
  if (!isAllowedAddress(text)) return null;
  return /^[/?#]/.test(text) || URL.canParse(text) ? text : null;
}

/**
 * Returns the input of a link field as a safe address: `example.org` becomes an https address, and
 * a bare mail address becomes a mailto address. Null if the input cannot be a link.
 */
export function addressFromInput(input: string): string | null {
  const text = input.trim();
  const plain = safeAddress(text);
  if (plain !== null) return plain;
  if (/^[^\s@:/]+@[^\s@:/]+\.[^\s@:/]+$/.test(text)) return safeAddress(`mailto:${text}`);
  if (/^[^\s:/?#@]+\.[a-z]{2,}([/?#:]\S*)?$/i.test(text)) return safeAddress(`https://${text}`);
  return null;
}
