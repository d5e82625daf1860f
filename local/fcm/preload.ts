/**
 * Redirects requests to googleapis.com to the stand-in, without changing the program. Node's `--import` loads this file before
 * the program, in a process or a worker. LOCAL_FCM_PORT is the stand-in's port on 127.0.0.1, and LOCAL_FCM_CA is the stand-in's
 * certificate. Adds the name of the calling Lambda function to each request.
 */
import { subscribe } from "node:diagnostics_channel";
import { ClientRequest } from "node:http";
import http2 from "node:http2";
import { syncBuiltinESMExports } from "node:module";
import tls from "node:tls";

const { LOCAL_FCM_PORT, LOCAL_FCM_CA, AWS_LAMBDA_FUNCTION_NAME = "" } = process.env;
const FUNCTION_HEADER = "x-local-function";

const isGoogle = (host: unknown): host is string => typeof host === "string" && host.endsWith(".googleapis.com");
const isList = (value: unknown): value is readonly string[] => Array.isArray(value);
/** Returns whether a request goes to Chrome's push service: on FCM's host, only web pushes have a `lookup`. */
const isWebPush = (options: object): boolean => typeof Reflect.get(options, "lookup") === "function";
const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

const createStandInTlsOptions = (serverName: string) => ({
  host: "127.0.0.1",
  port: Number(LOCAL_FCM_PORT),
  ca: LOCAL_FCM_CA,
  servername: serverName,
});

/** Sends Google's TLS connections to the stand-in. `tls.connect` accepts (options), (port, options) or (port, host, options). */
const redirectTls = (): void => {
  const connect = tls.connect;
  const connectOrRedirect = (...callArguments: unknown[]): unknown => {
    const options = callArguments.find(isObject) ?? {};
    const host = [callArguments[1], Reflect.get(options, "servername"), Reflect.get(options, "host")].find(isGoogle);
    if (host === undefined || isWebPush(options)) return Reflect.apply(connect, tls, callArguments);
    const listeners = callArguments.filter((argument) => typeof argument === "function");
    return Reflect.apply(connect, tls, [{ ...options, ...createStandInTlsOptions(host) }, ...listeners]);
  };
  Reflect.set(tls, "connect", connectOrRedirect);
};

/** Adds the function's name, and corrects `:scheme`, which firebase-admin sends as `https:` and Node's HTTP/2 server refuses. */
const fixRequestHeaders = (session: http2.ClientHttp2Session): void => {
  const request = session.request.bind(session);
  session.request = (headers = {}, options) =>
    isList(headers)
      ? request(headers, options)
      : request({ ...headers, ":scheme": "https", [FUNCTION_HEADER]: AWS_LAMBDA_FUNCTION_NAME }, options);
};

const redirectHttp2 = (): void => {
  const connect = http2.connect;
  const connectOrRedirect = (authority: string | URL, ...rest: unknown[]): unknown => {
    const { hostname } = new URL(authority);
    if (!isGoogle(hostname)) return Reflect.apply(connect, http2, [authority, ...rest]);
    const listeners = rest.filter((argument) => typeof argument === "function");
    const options = {
      ...rest.find(isObject),
      createConnection: () => tls.connect({ ...createStandInTlsOptions(hostname), ALPNProtocols: ["h2"] }),
    };
    const session: http2.ClientHttp2Session = Reflect.apply(connect, http2, [authority, options, ...listeners]);
    fixRequestHeaders(session);
    return session;
  };
  Reflect.set(http2, "connect", connectOrRedirect);
};

const addFunctionNameToRequests = (): void =>
  subscribe("http.client.request.created", (event) => {
    const request = isObject(event) ? Reflect.get(event, "request") : undefined;
    if (request instanceof ClientRequest && isGoogle(request.host) && !request.headersSent) {
      request.setHeader(FUNCTION_HEADER, AWS_LAMBDA_FUNCTION_NAME);
    }
  });

if (LOCAL_FCM_PORT !== undefined) {
  redirectTls();
  redirectHttp2();
  addFunctionNameToRequests();
  syncBuiltinESMExports();
}
