import * as v from "valibot";
import { identifyResource, type Urls } from "./identities.ts";
import { createResolver, type SecretOf, type Template, TemplateError } from "./resolve.ts";
import { inertTypes, type PropertiesOf, type ResourceType, schemas } from "./resources.ts";

/** Returns a function that reads all resources of a type, resolves references, and checks properties by `resources.ts`. */
export const createReader = (template: Template, urls: Urls, secretOf: SecretOf | undefined) => {
  const resources = Object.entries(template.Resources);
  for (const [id, { Type }] of resources)
    if (!(Type in schemas) && !inertTypes.has(Type)) throw new TemplateError(`${id}: ${Type} is not supported here`);
  const identities = new Map(resources.map(([id, resource]) => [id, identifyResource(resource, id, urls)]));
  const resolve = createResolver(template, identities, secretOf);

  return <Type extends ResourceType>(type: Type) =>
    resources
      .filter(([, resource]) => resource.Type === type)
      .map(([id, { Properties, Metadata }]) => {
        const schema: v.GenericSchema<unknown, PropertiesOf<Type>> = schemas[type];
        const parsed = v.safeParse(schema, resolve(Properties));
        if (!parsed.success) throw new TemplateError(`${id} (${type}): ${v.summarize(parsed.issues)}`);
        const { ref = id, attributes = {} } = identities.get(id) ?? {};
        const assetPath = Metadata["aws:asset:path"];
        return { id, ref, arn: attributes["Arn"] ?? "", assetPath, properties: parsed.output };
      });
};
export type Reader = ReturnType<typeof createReader>;
