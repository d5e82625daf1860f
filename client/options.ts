/** The service's address, the client's credentials and its timeouts. */
export type ClientOptions = {
  /** The service's address, without a path. */
  baseUrl: string;
  /** The API key, which sends events. */
  apiKey?: string;
  /** A session token, or a function that is called before each request and returns a session token. */
  token?: string | (() => string | Promise<string>);
  /** The number of attempts for a request that may be repeated. */
  tries?: number;
  /** The timeout of each attempt, in milliseconds. */
  timeoutMs?: number;
  fetch?: typeof fetch;
};
