export const isWebAddress = (value: string): boolean => {
  const url = URL.parse(value);
  return url !== null && (url.protocol === "http:" || url.protocol === "https:");
};

/**
 * Returns the URL as clients parse it: `https://example.com\@127.0.0.1/` leads to example.com. Returns other texts and addresses
 * without a path unchanged.
 */
export const normalizeUrl = (value: string): string => {
  const href = isWebAddress(value) ? URL.parse(value)?.href : undefined;
  return href === undefined || href === `${value}/` ? value : href;
};
