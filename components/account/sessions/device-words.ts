const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, "Edge"],
  [/\b(OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/\b(\w*Chrom(e|ium)|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/**
 * Names the browser and system of a user agent in plain words, such as “Firefox on Windows”. Safari
 * is matched last, because other browsers' user agents also contain its name.
 */
export function deviceWords(userAgent: string): string {
  const named = (list: [RegExp, string][]) =>
    list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [named(browsers), named(systems)];
  if (!browser) return system ? `A program on ${system}` : "Unknown device";
  return system ? `${browser} on ${system}` : browser;
}
