/** How a client reaches the service, and its credentials. The package's types contain this text. */
export type ClientOptions = {
  /** The service's address, without a path. */
  baseUrl: string;
  /** The API key, which sends events. */
  apiKey?: string;
  /** A session token, or a function that returns one, called before each request. */
  token?: string | (() => string | Promise<string>);
  /** How often a request that may be repeated is tried. */
  tries?: number;
  /** The timeout of each try, in milliseconds. */
  timeoutMs?: number;
  fetch?: typeof fetch;
};
