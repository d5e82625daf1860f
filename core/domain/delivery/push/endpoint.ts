/** The push services of the browsers: Google's (its second name is Chromium's own, as Linux has it), Mozilla's, Microsoft's, Apple's. */
const HOSTS: readonly RegExp[] = [
  /^fcm\.googleapis\.com$/,
  /^jmt17\.google\.com$/,
  /^(?:[a-z0-9-]+\.)+push\.services\.mozilla\.com$/,
  /^(?:[a-z0-9-]+\.)+notify\.windows\.com$/,
  /^web\.push\.apple\.com$/,
];

export const PUSH_SERVICES =
  "fcm.googleapis.com, jmt17.google.com, *.push.services.mozilla.com, *.notify.windows.com, web.push.apple.com";

const parse = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined);

/**
 * Whether this is an address of a push service. Endpoints are URLs that anybody can send, and the service calls them: of
 * everything else (other hosts, ports, schemes, names and passwords in the URL) it keeps away.
 */
export const isPushServiceEndpoint = (text: string): boolean => {
  const url = parse(text);
  if (url === undefined || url.protocol !== "https:" || url.port !== "") return false;
  if (url.username !== "" || url.password !== "" || url.hash !== "") return false;
  return HOSTS.some((host) => host.test(url.hostname));
};

/** Whether an endpoint may be called: a push service's, or one below the prefix of a stand-in where there is one. */
export const isEndpoint = (text: string, standIn: string | undefined): boolean => {
  if (isPushServiceEndpoint(text)) return true;
  // Compared as URLs: dots and backslashes in a text could lead out of the prefix.
  return standIn !== undefined && (parse(text)?.href.startsWith(standIn) ?? false);
};
