import { bodyOf } from "./contract.ts";
import { problemCodes, problems, type ProblemCode } from "./problems.ts";
import { routes, type Route } from "./routes.ts";
import { refusalsOf } from "./document.ts";
import { goodEvent, goodRule, mistakes, type Mistake } from "./mistakes.ts";

const nameOf = ({ entry }: { entry: string }): string => entry.split("/")[1] ?? entry;

/** Sets of endpoints with a common name. */
const known = [
  { name: "all", has: () => true },
  { name: "all of a workspace", has: ({ path }: Route) => path.includes("{workspaceId}") },
  { name: "all that take a body", has: (route: Route) => bodyOf(route) !== undefined },
  { name: "all with an id below the workspace", has: ({ path }: Route) => path.split("{").length > 2 },
];

/** More endpoints are only counted, because the OpenAPI document lists the errors of each. */
const SHOWN_ENDPOINTS = 4;

const endpointsWith = (code: ProblemCode): string => {
  const named = routes.filter((route) => refusalsOf(route).includes(code));
  const same = known.find(({ has }) => routes.every((route) => has(route) === named.includes(route)));
  const names = [...new Set(named.map((route) => `\`${nameOf(route)}\``))];
  return same?.name ?? (names.length > SHOWN_ENDPOINTS ? `${names.length} endpoints` : names.join(", "));
};

/** Longer texts are cut. */
const SHOWN_CHARACTERS = 70;

const code = (text: string): string => `\`${text}\``;

/** Returns a body without its correct fields, as text. */
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
  return whole.map((part) => (part === "a good event" ? part : code(part))).join(", ");
};

const mistakeLine = (mistake: Mistake): string =>
  `- ${mistake.mistake}: ${sentBy(mistake)} → ${mistake.status}. ${mistake.says.join(" ")}`;

/** Returns the reference of error codes, one row per code. */
export const errorsPage = (): string => {
  const rows = problemCodes.map(
    (code) => `| \`${code}\` | ${problems[code].status} | ${problems[code].when} | ${endpointsWith(code)} |`,
  );
  return `# Errors

For everybody who writes a client: every error code of the API, and the answers to common mistakes. \`npm run openapi\` writes this page
from \`interface/problems.ts\`; [openapi.json](openapi.json) lists the errors of each endpoint.

An error is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`message\`
(the same text as \`detail\`) and \`requestId\`. Programs may depend on \`code\`; texts may change. A 422 has \`errors\`, an array of
\`{field, code, message}\` with every mistake in the input. The gateway's own answers (a missing session token, its throttling) are
\`{"message": ...}\`.

| Code | Status | When | Endpoints |
| --- | --- | --- | --- |
${rows.join("\n")}

## Codes of single mistakes

| Code | Meaning |
| --- | --- |
| \`required\` | the field is missing |
| \`unknown_field\` | the field does not exist, or cannot be set here |
| \`wrong_type\` | the value has another type |
| \`unknown_value\` | the value is not one of the allowed ones |
| \`too_long\`, \`too_short\` | a text has too many or too few characters |
| \`too_many\` | a list has too many entries |
| \`too_small\`, \`too_large\` | a number is out of its range |
| \`unknown_reference\` | the id does not exist in this workspace |
| \`pattern_too_dear\` | the workspace's regular expressions would cost too much; the field has the most expensive one |
| \`idempotency_key_reused\` | the Idempotency-Key was used with another body |
| \`invalid\` | anything else; the message says what is right |

## Mistakes of a first script

What is wrong in a request to \`POST /v1/events\`, or where it says, and the answer: each of \`errors\` or \`warnings\` as \`field\`:
\`message\`, otherwise \`detail\`. A test sends each of them.

${mistakes.map(mistakeLine).join("\n")}
`;
};
