/** Neutral colours with one accent, from which the build creates both themes. */
export const colours = {
  back: ["#fff", "#14171c"],
  "back-2": ["#f5f6f8", "#1b1f26"],
  "back-3": ["#e9ebef", "#272c35"],
  line: ["#d3d7de", "#353b46"],
  "line-strong": ["#8a919c", "#7d8694"],
  text: ["#1b1f24", "#e6e9ee"],
  soft: ["#57606a", "#a3acb9"],
  accent: ["#0b5fd0", "#79b0ff"],
  "accent-back": ["#e3eefc", "#182a44"],
  "on-accent": ["#fff", "#0b1624"],
  bad: ["#b3261e", "#ff8f85"],
  "bad-back": ["#fdecea", "#3a1a19"],
  warn: ["#8a4b00", "#f2b35e"],
  "warn-back": ["#fff3dd", "#35260f"],
  good: ["#14693a", "#6fd394"],
  "good-back": ["#e3f4e8", "#15301f"],
  "person-0": ["#2f6fdf", "#6aa5ff"],
  "person-1": ["#a1479c", "#d98ad5"],
  "person-2": ["#0f7f6c", "#4cc2ab"],
  "person-3": ["#b5651d", "#e5a163"],
  "person-4": ["#6a52c9", "#a694f5"],
  "person-5": ["#5a7a12", "#a3c45b"],
} as const satisfies Record<string, readonly [light: string, dark: string]>;

const formatSchemeCss = (scheme: "light" | "dark"): string => {
  const values = Object.entries(colours).map(
    ([name, [light, dark]]) => `--${name}:${scheme === "light" ? light : dark}`,
  );
  return `{color-scheme:${scheme};${values.join(";")}}`;
};

/** Returns the CSS of both themes. The reader's choice takes precedence over the system's theme. Printed pages are light. */
export const formatThemeCss = (): string =>
  `:root${formatSchemeCss("light")}` +
  `@media screen and (prefers-color-scheme:dark){:root:not([data-theme="light"])${formatSchemeCss("dark")}}` +
  `@media screen{:root[data-theme="dark"]${formatSchemeCss("dark")}}`;
