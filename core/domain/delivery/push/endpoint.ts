/** The push services of browsers: Google (with a second name for Chromium on Linux), Mozilla, Microsoft, Apple. */
const HOSTS: readonly RegExp[] = [
  /^fcm\.googleapis\.com$/,
  /^jmt17\.google\.com$/,
  /^(?:[a-z0-9-]+\.)+push\.services\.mozilla\.com$/,
  /^(?:[a-z0-9-]+\.)+notify\.windows\.com$/,
  /^web\.push\.apple\.com$/,
];

export const PUSH_SERVICES =
  "fcm.googleapis.com, jmt17.google.com, *.push.services.mozilla.com, *.notify.windows.com, web.push.apple.com";

const parseEndpoint = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/** Returns whether the URL is of a browser's push service. All parts are checked, because clients choose the URL. */
export const isPushServiceEndpoint = (text: string): boolean => {
  const url = parseEndpoint(text);
  if (url === undefined || url.protocol !== "https:" || url.port !== "") return false;
  if (url.username !== "" || url.password !== "" || url.hash !== "") return false;
  return HOSTS.some((host) => host.test(url.hostname));
};

/** Returns whether the URL is of a known push service or, for local development, begins with `standInPrefix`. */
export const isAllowedEndpoint = (text: string, standInPrefix: string | undefined): boolean => {
  if (isPushServiceEndpoint(text)) return true;
  // Compares the parsed URL, because `..` and backslashes in the text could lead to an address outside of the prefix.
  return standInPrefix !== undefined && (parseEndpoint(text)?.href.startsWith(standInPrefix) ?? false);
};
