import { bodyOf } from "./contract.ts";
import { problemCodes, problems, type ProblemCode } from "./problems.ts";
import { routes, type Route } from "./routes.ts";
import { refusalsOf } from "./document.ts";
import { goodEvent, goodRule, mistakes, type Mistake } from "./mistakes.ts";

const nameOf = ({ entry }: { entry: string }): string => entry.split("/")[1] ?? entry;

/** Sets of endpoints with a name of their own. */
const known = [
  { name: "all", has: () => true },
  { name: "all of a workspace", has: ({ path }: Route) => path.includes("{workspaceId}") },
  { name: "all that take a body", has: (route: Route) => bodyOf(route) !== undefined },
  { name: "all with an id below the workspace", has: ({ path }: Route) => path.split("{").length > 2 },
];

const endpointsWith = (code: ProblemCode): string => {
  const named = routes.filter((route) => refusalsOf(route).includes(code));
  const same = known.find(({ has }) => routes.every((route) => has(route) === named.includes(route)));
  return same?.name ?? [...new Set(named.map((route) => `\`${nameOf(route)}\``))].join(", ");
};

/** Longer texts are cut. */
const SHOWN_CHARACTERS = 70;

const code = (text: string): string => `\`${text.replaceAll("|", "\\|")}\``;

/** A body without its correct fields. */
const mistaken = (body: object): string => {
  const good = new Map<string, unknown>(Object.entries({ ...goodEvent, ...goodRule }));
  const fields = Object.entries(body).filter(([key, value]) => good.get(key) !== value);
  return fields.length === 0 ? "a good event" : JSON.stringify(Object.fromEntries(fields)).slice(1, -1);
};

const sentBy = ({ method = "POST", path = "/v1/events", as, contentType, body }: Mistake): string => {
  const text = typeof body === "object" ? mistaken(body) : body;
  const whole = [
    as === "bearer" ? "Authorization: Bearer eak_..." : undefined,
    contentType === undefined ? undefined : `Content-Type: ${contentType}`,
    path !== "/v1/events" || method !== "POST" ? `${method} ${path}` : undefined,
    text === undefined || text.length <= SHOWN_CHARACTERS ? text : `${text.slice(0, SHOWN_CHARACTERS)}...`,
  ].filter((part) => part !== undefined);
  return whole.map((part) => (part === "a good event" ? part : code(part))).join("<br>");
};

const mistakeRow = (mistake: Mistake): string =>
  `| ${mistake.mistake} | ${sentBy(mistake)} | ${mistake.status} | ${mistake.says.join("<br>").replaceAll("|", "\\|")} |`;

/** The reference of error codes, one row per code. */
export const errorsPage = (): string => {
  const rows = problemCodes.map(
    (code) => `| \`${code}\` | ${problems[code].status} | ${problems[code].when} | ${endpointsWith(code)} |`,
  );
  return `# Errors

This page is made by \`npm run openapi\` from the record in \`interface/problems.ts\`; do not edit it.

Every error is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`,
\`code\`, \`message\` (the same text as \`detail\`) and \`requestId\`. \`code\` is stable: programs may depend on it, texts may
change. A 422 carries \`errors\`, an array of \`{field, code, message}\` with every fault of the input. What the gateway
answers by itself (a missing session token, its own throttling) is \`{"message": ...}\`.

| Code | Status | When | Endpoints |
| --- | --- | --- | --- |
${rows.join("\n")}

## Codes of single faults

| Code | Meaning |
| --- | --- |
| \`required\` | the field is missing |
| \`unknown_field\` | the field does not exist, or cannot be set here |
| \`wrong_type\` | the value is of another type |
| \`unknown_value\` | the value is none of those that there are |
| \`too_long\`, \`too_short\` | a text has too many or too few characters |
| \`too_many\` | a list has too many entries |
| \`too_small\`, \`too_large\` | a number is out of its range |
| \`unknown_reference\` | the id is of nothing that this workspace has |
| \`pattern_too_dear\` | the regular expressions of the workspace would cost too much to compile; the field is that of the dearest in the request |
| \`idempotency_key_reused\` | the Idempotency-Key was used with another body |
| \`invalid\` | anything else; the message says what would be right |

## Mistakes of a first script

What is sent to \`POST /v1/events\`, or where it says, with the fields in which the mistake is, and what the answer tells: each of
\`errors\` or \`warnings\` as \`field\`: \`message\`, or else \`detail\`. A test asks the service for each.

| Mistake | Sent | Status | Answer |
| --- | --- | --- | --- |
${mistakes.map(mistakeRow).join("\n")}
`;
};
