/** Returns whether the text is an http or https URL. */
export const isWebAddress = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
};

/** Returns a URL as clients parse it: `https://example.com\@127.0.0.1/` leads to example.com. Returns other texts unchanged. */
export const normalizeUrl = (value: string): string => {
  const href = isWebAddress(value) ? URL.parse(value)?.href : undefined;
  return href === undefined || href === `${value}/` ? value : href;
};
