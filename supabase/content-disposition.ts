/**
 * The header that says under which name an answer is saved (RFC 6266): the name itself as RFC 5987
 * writes it, and `plain`, in ASCII and without quotation marks, for what reads no other.
 */
export function contentDisposition(
  how: "attachment" | "inline",
  name: string,
  plain: string,
): string {
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `${how}; filename="${plain}"; filename*=UTF-8''${exact}`;
}
