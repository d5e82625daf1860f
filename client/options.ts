/** How a client reaches the service, and for whom. The package's types contain this text. */
export type ClientOptions = {
  /** The service's address, without a path. */
  baseUrl: string;
  /** Sends events. */
  apiKey?: string;
  /** A session token, or what gives one, asked before each request. */
  token?: string | (() => string | Promise<string>);
  /** Tries of a request that may be made again. */
  tries?: number;
  /** For each try. */
  timeoutMs?: number;
  fetch?: typeof fetch;
};
