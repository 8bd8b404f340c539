export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/**
 * The name of the theme cookie. With a cookie, the server renders the right theme, and no script
 * has to run before the first paint.
 */
export const themeCookie = "palimpsest-theme";

/** Parses the theme cookie. Any other value follows the system. */
export function parseTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? "system";
}

/** Returns the theme that the page shows now. */
function currentTheme(): Theme {
  return parseTheme(document.documentElement.dataset.theme);
}

/** Applies a theme at once and stores it for a year. */
export function chooseTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  const age = theme === "system" ? 0 : 31_536_000;
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=${age}; samesite=lax`;
}

/** Switches from the shown theme to the opposite one, light or dark. */
export function toggleTheme(): Theme {
  const dark =
    currentTheme() === "dark" ||
    (currentTheme() === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  const theme = dark ? "light" : "dark";
  chooseTheme(theme);
  return theme;
}
