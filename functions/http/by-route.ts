import * as v from "valibot";
import { readOwn } from "../../core/domain/basics/read-own.ts";
import { entryOfKey } from "../../interface/routes.ts";
import type { HttpHandler } from "./endpoint.ts";

const Call = v.object({ routeKey: v.string() });

/** A function that several routes share: hands a call to the handler of its route, by the name of the handler's file. */
export const byRoute =
  (handlers: Readonly<Record<string, HttpHandler>>): HttpHandler =>
  (event, context) => {
    const { routeKey } = readOwn("the event of the gateway", Call, event);
    const handler = handlers[entryOfKey(routeKey) ?? ""];
    if (handler === undefined) throw new Error(`this function does not answer the route "${routeKey}"`);
    return handler(event, context);
  };
