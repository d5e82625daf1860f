import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { closeObjects } from "../../conformance/shapes.ts";
import type { Route } from "../../interface/routes.ts";
import type { Answer } from "../world/http.ts";

type Json = { [key: string]: Json };

/** Returns a check of answers, which reports a status, a type or a body that the document does not allow. */
export const createConformanceCheck = (document: object) => {
  const ajv = new Ajv2020({ strict: false });
  const named = document as { components: { schemas: Json } };
  const { paths, components } = closeObjects(document, named.components.schemas) as { paths: Json; components: Json };
  const refusals = components["responses"] ?? {};
  ajv.addSchema({ $id: "openapi", components });
  const compiled = new Map<string, ValidateFunction>();

  return (route: Route, answer: Answer<unknown>): string | undefined => {
    const responses = paths[route.path]?.[route.method.toLowerCase()]?.["responses"];
    const named = responses?.[answer.status < 500 ? String(answer.status) : "5XX"];
    const ref = named?.["$ref"] as unknown;
    const response = typeof ref === "string" ? refusals[ref.slice("#/components/responses/".length)] : named;
    if (response === undefined) return `the document has no status ${answer.status}`;
    const content = response["content"];
    if (content === undefined) return answer.body === undefined ? undefined : "there must be no body";
    // The gateway of the tests answers without a content type.
    const [type = ""] = (answer.headers["Content-Type"] ?? "application/json").split(";");
    const schema = content[type]?.["schema"];
    if (schema === undefined) return `the document has no ${type} for status ${answer.status}`;
    const key = `${route.entry} ${answer.status} ${type}`;
    const pointer = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/')) as object;
    const validate = compiled.get(key) ?? ajv.compile(pointer);
    compiled.set(key, validate);
    return validate(answer.body) ? undefined : ajv.errorsText(validate.errors);
  };
};
