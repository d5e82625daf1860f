import { signal } from "@preact/signals";

const KEPT = "theme";
type Theme = "light" | "dark";

const systemDark = matchMedia("(prefers-color-scheme: dark)");
const kept = localStorage.getItem(KEPT);
const chosen = signal<Theme | undefined>(kept === "light" || kept === "dark" ? kept : undefined);

const applyTheme = (): void => {
  if (chosen.value === undefined) delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen.value;
};

export const startTheme = applyTheme;

/** Switches between the light and the dark theme. After a switch, the system's theme has no effect. */
export const switchTheme = (): void => {
  const seen = chosen.value ?? (systemDark.matches ? "dark" : "light");
  chosen.value = seen === "dark" ? "light" : "dark";
  localStorage.setItem(KEPT, chosen.value);
  applyTheme();
};
