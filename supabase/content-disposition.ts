/**
 * Returns the Content-Disposition header (RFC 6266) with the exact name in RFC 5987 encoding.
 * Clients that do not support the encoding use `plain`, an ASCII name without quotation marks.
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
