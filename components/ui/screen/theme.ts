export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/**
 * The theme is a cookie, so that the server paints the right one at once and no script has to run
 * before the first paint.
 */
export const themeCookie = "palimpsest-theme";

/** Reads a theme from the cookie's value; anything unknown follows the system. */
export function parseTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? "system";
}

/** Tells the theme that the page shows now. */
function currentTheme(): Theme {
  return parseTheme(document.documentElement.dataset.theme);
}

/** Shows a theme at once and keeps it for a year. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const age = theme === "system" ? 0 : 31_536_000;
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax`;
}

/** Goes from what is shown now to the other side: light to dark, dark to light. */
export function toggleTheme(): Theme {
  const dark =
    currentTheme() === "dark" ||
    (currentTheme() === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = dark ? "light" : "dark";
  chooseTheme(theme);
  return theme;
}
