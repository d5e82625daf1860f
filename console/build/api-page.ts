import * as v from "valibot";
import { escapeMarkup } from "../../core/domain/basics/markup.ts";

const Text = v.optional(v.string(), "");
const Ref = v.object({ $ref: v.optional(v.string()) });
const Content = v.optional(v.record(v.string(), v.object({ schema: v.optional(v.unknown()) })), {});
const Parameter = v.object({ name: v.string(), in: v.string(), description: Text, required: v.optional(v.boolean()) });
const Response = v.object({ description: Text, content: Content });
/** Returns a schema that also accepts a reference to a named part. */
const allowReference = <Part extends v.GenericSchema>(schema: Part) =>
  v.union([v.object({ $ref: v.string() }), schema]);
const Operation = v.object({
  operationId: v.string(),
  tags: v.array(v.string()),
  summary: v.string(),
  description: Text,
  /** The ways to authenticate; by default, a session. */
  security: v.optional(v.array(v.record(v.string(), v.unknown()))),
  parameters: v.optional(v.array(allowReference(Parameter)), []),
  requestBody: v.optional(v.object({ content: Content })),
  responses: v.record(v.string(), allowReference(Response)),
});

export const ApiDocument = v.object({
  info: v.object({ title: v.string(), version: v.string(), description: Text }),
  paths: v.record(
    v.string(),
    v.objectWithRest({ parameters: v.optional(v.array(allowReference(Parameter)), []) }, Operation),
  ),
  components: v.object({
    schemas: v.record(v.string(), v.unknown()),
    parameters: v.record(v.string(), Parameter),
    responses: v.record(v.string(), Response),
  }),
});
export type ApiDocument = v.InferOutput<typeof ApiDocument>;
type Operation = v.InferOutput<typeof Operation>;

/** Converts Markdown with inline code and paragraphs to HTML. */
const textToHtml = (text: string): string =>
  escapeMarkup(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll("\n\n", "<br>");

const jsonToHtml = (value: unknown): string => `<pre>${escapeMarkup(JSON.stringify(value, undefined, 2))}</pre>`;

const readReferencedName = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

const resolveReference = <Part extends object>(
  part: Part | { $ref: string },
  namedParts: Readonly<Record<string, Part>>,
): Part => {
  if (!("$ref" in part)) return part;
  const meant = namedParts[readReferencedName(part.$ref)];
  if (meant === undefined) throw new Error(`The document does not have ${part.$ref}`);
  return meant;
};

/** Renders a link to the schema to which `schema` refers; returns an empty text if `schema` is not a reference. */
const renderSchemaLink = (schema: unknown): string => {
  const result = v.safeParse(Ref, schema);
  const name = result.success && result.output.$ref !== undefined ? readReferencedName(result.output.$ref) : undefined;
  return name === undefined ? "" : ` <a href="#schema-${escapeMarkup(name)}">${escapeMarkup(name)}</a>`;
};

const renderContent = (content: v.InferOutput<typeof Content>): string =>
  Object.values(content)
    .map(({ schema }) => renderSchemaLink(schema))
    .join("");

type Components = ApiDocument["components"];

const renderParameters = (operation: Operation, components: Components): string => {
  const parameters = operation.parameters.map((one) => resolveReference(one, components.parameters));
  const rows = parameters.map(
    ({ name, in: location, description, required }) =>
      `<tr><td><code>${escapeMarkup(name)}</code></td><td>${location}${required === true ? ", required" : ""}</td><td>${textToHtml(description)}</td></tr>`,
  );
  return rows.length === 0 ? "" : `<table>${rows.join("")}</table>`;
};

const renderOperation = (path: string, method: string, operation: Operation, components: Components): string => {
  const answers = Object.entries(operation.responses).map(([status, response]) => {
    const { description, content } = resolveReference(response, components.responses);
    return `<details><summary><b>${status}</b> ${textToHtml(description)}</summary>${renderContent(content)}</details>`;
  });
  const key = operation.security?.some((one) => "apiKey" in one) === true ? "API key" : "session";
  return `<section id="${escapeMarkup(operation.operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeMarkup(path)}</code></h3>
<p><b>${escapeMarkup(operation.summary)}.</b> ${textToHtml(operation.description)} <small>${key}</small></p>
${renderParameters(operation, components)}
${operation.requestBody === undefined ? "" : `<details><summary>Body</summary>${renderContent(operation.requestBody.content)}</details>`}
${answers.join("\n")}
</section>`;
};

const STYLE = `
  :root { color-scheme: light dark; }
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  pre { padding: .75rem; border: 1px solid #8888; border-radius: .4rem; overflow-x: auto; font-size: 13px; }
  section { border-top: 1px solid #8884; }
  td { padding: 0 1rem 0 0; vertical-align: top; }
  details { margin: .25rem 0; }
  .method { color: #15803d; }
`;

/** Renders the API's reference as a page that loads no scripts or other files. */
export const renderApiPage = ({ info, paths, components }: ApiDocument): { html: string; style: string } => {
  const operations = Object.entries(paths).flatMap(([path, { parameters, ...methods }]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method,
      operation: { ...operation, parameters: [...parameters, ...operation.parameters] },
    })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "");
  const parts = [...byTag].map(
    ([tag, some]) =>
      `<h2 id="${escapeMarkup(tag)}">${escapeMarkup(tag)}</h2>${some.map((one) => renderOperation(one.path, one.method, one.operation, components)).join("\n")}`,
  );
  const menu = [...byTag.keys()].map((tag) => `<a href="#${escapeMarkup(tag)}">${escapeMarkup(tag)}</a>`).join(" · ");
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escapeMarkup(name)}"><summary><code>${escapeMarkup(name)}</code></summary>${jsonToHtml(schema)}</details>`,
  );
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeMarkup(info.title)}: API</title>
<style>${STYLE}</style>
<h1>${escapeMarkup(info.title)}</h1>
<p>${textToHtml(info.description)}</p>
<p>Version ${escapeMarkup(info.version)} · <a href="openapi.json">openapi.json</a></p>
<nav>${menu} · <a href="#schemas">schemas</a></nav>
${parts.join("\n")}
<h2 id="schemas">schemas</h2>
${schemas.join("\n")}
</html>
`;
  return { html, style: STYLE };
};
