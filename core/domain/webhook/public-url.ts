/** Names of machines in internal networks (RFC 6761, 6762, 8375 and conventions). */
const INWARD_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|test|invalid|onion)$/;

/** Returns why a URL is not public; undefined if it is. Refuses any IP address, even `0x7f.1`. Does not look up host names. */
export const findPublicUrlFault = (text: string): string | undefined => {
  const url = URL.parse(text);
  if (url === null) return "url must be an https address, such as https://example.com/hooks/alerts.";
  if (url.protocol !== "https:") return "url must begin with https://.";
  if (url.username !== "" || url.password !== "") return "url must not contain a user name or a password.";
  if (url.port !== "") return "url must not have a port: only 443 is called.";
  const host = url.hostname.replace(/\.$/, "");
  if (host.startsWith("[") || /^[\d.]+$/.test(host)) return "url must have a host name, not an IP address.";
  if (!host.includes(".") || INWARD_NAMES.test(host)) return "url must have a public host name.";
  return undefined;
};

/** Returns why webhooks must not call a URL; undefined if it is public or, in a local setup, begins with `standInPrefix`. */
export const findWebhookUrlFault = (text: string, standInPrefix: string | undefined): string | undefined =>
  // Compares the parsed URL, because dots and backslashes in the text could lead out of the prefix.
  standInPrefix !== undefined && URL.parse(text)?.href.startsWith(standInPrefix) === true
    ? undefined
    : findPublicUrlFault(text);
