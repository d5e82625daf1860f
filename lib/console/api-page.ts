import * as v from "valibot";

const Text = v.optional(v.string(), "");
const Ref = v.object({ $ref: v.optional(v.string()) });
const Content = v.optional(
  v.record(v.string(), v.object({ schema: v.optional(v.unknown()), example: v.optional(v.unknown()) })),
  {},
);
const Operation = v.object({
  operationId: v.string(),
  tags: v.array(v.string()),
  summary: v.string(),
  description: Text,
  security: v.array(v.record(v.string(), v.unknown())),
  parameters: v.array(
    v.object({ name: v.string(), in: v.string(), description: Text, required: v.optional(v.boolean()) }),
  ),
  requestBody: v.optional(v.object({ content: Content })),
  responses: v.record(v.string(), v.object({ description: Text, content: Content })),
});

/** The parts of the OpenAPI document that the page shows. */
export const ApiDocument = v.object({
  info: v.object({ title: v.string(), version: v.string(), description: Text }),
  paths: v.record(v.string(), v.record(v.string(), Operation)),
  components: v.object({ schemas: v.record(v.string(), v.unknown()) }),
});
export type ApiDocument = v.InferOutput<typeof ApiDocument>;
type Operation = v.InferOutput<typeof Operation>;

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

/** Inline code and paragraphs, as the document's texts use them. */
const prose = (text: string): string =>
  escape(text)
    .replaceAll(/`([^`]+)`/g, "<code>$1</code>")
    .replaceAll("\n\n", "<br>");

const json = (value: unknown): string => `<pre>${escape(JSON.stringify(value, undefined, 2))}</pre>`;

const schemaLink = (schema: unknown): string => {
  const result = v.safeParse(Ref, schema);
  const name = result.success ? result.output.$ref?.split("/").at(-1) : undefined;
  return name === undefined ? "" : ` <a href="#schema-${escape(name)}">${escape(name)}</a>`;
};

const contentOf = (content: v.InferOutput<typeof Content>): string =>
  Object.values(content)
    .map(({ schema, example }) => schemaLink(schema) + (example === undefined ? "" : json(example)))
    .join("");

const parametersOf = (operation: Operation): string => {
  const rows = operation.parameters.map(
    ({ name, in: place, description, required }) =>
      `<tr><td><code>${escape(name)}</code></td><td>${place}${required === true ? ", required" : ""}</td><td>${prose(description)}</td></tr>`,
  );
  return rows.length === 0 ? "" : `<table>${rows.join("")}</table>`;
};

const operationOf = (path: string, method: string, operation: Operation): string => {
  const answers = Object.entries(operation.responses).map(
    ([status, { description, content }]) =>
      `<details><summary><b>${status}</b> ${prose(description)}</summary>${contentOf(content)}</details>`,
  );
  const key = operation.security.some((one) => "apiKey" in one) ? "API key" : "session";
  return `<section id="${escape(operation.operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escape(path)}</code></h3>
<p><b>${escape(operation.summary)}.</b> ${prose(operation.description)} <small>${key}</small></p>
${parametersOf(operation)}
${operation.requestBody === undefined ? "" : `<details><summary>Body</summary>${contentOf(operation.requestBody.content)}</details>`}
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

/** The OpenAPI document as an HTML page without scripts or external files. `style`: the text of its style element. */
export const apiPage = ({ info, paths, components }: ApiDocument): { html: string; style: string } => {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const byTag = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? "");
  const parts = [...byTag].map(
    ([tag, some]) =>
      `<h2 id="${escape(tag)}">${escape(tag)}</h2>${some.map((one) => operationOf(one.path, one.method, one.operation)).join("\n")}`,
  );
  const menu = [...byTag.keys()].map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(" · ");
  const schemas = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary>${json(schema)}</details>`,
  );
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escape(info.title)}: API</title>
<style>${STYLE}</style>
<h1>${escape(info.title)}</h1>
<p>${prose(info.description)}</p>
<p>Version ${escape(info.version)} · <a href="openapi.json">openapi.json</a></p>
<nav>${menu} · <a href="#schemas">schemas</a></nav>
${parts.join("\n")}
<h2 id="schemas">schemas</h2>
${schemas.join("\n")}
</html>
`;
  return { html, style: STYLE };
};
