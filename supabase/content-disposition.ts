/**
 * The Content-Disposition header (RFC 6266): the exact name in RFC 5987 encoding, and `plain`, an
 * ASCII name without quotation marks, for clients that do not support it.
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
