/** The bytes of standard base64 text; throws on anything else. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Standard base64 without line breaks. */
export function toBase64(bytes: Uint8Array): string {
  // In slices: String.fromCharCode takes its bytes as arguments, and an engine limits how many
  // there may be. Applied, for spreading asks the iterator for each byte, which takes six times as
  // long.
  let binary = "";
  for (let i = 0; i < bytes.length; i += 0x8000)
    binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(i, i + 0x8000));
  return btoa(binary);
}
