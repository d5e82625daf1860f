import { problemCodes, problems } from "./problems.ts";

/** Returns the reference of error codes, one row per code. */
export const errorsPage = (): string => {
  const rows = problemCodes.map((code) => `| \`${code}\` | ${problems[code].status} | ${problems[code].when} |`);
  return `# Errors

For developers who write a client: every error code of the API and what it means. [openapi.json](openapi.json) lists the errors of each
endpoint. \`npm run openapi\` writes this page from \`interface/problems.ts\`.

An error is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`message\`
(the same text as \`detail\`) and \`requestId\`. Your program may depend on \`code\`; the texts may change. A 422 also has \`errors\`, an array
of \`{field, code, message}\` with every mistake in the request. API Gateway itself answers requests without a session token and requests
that it throttles; its body is \`{"message": ...}\`.

| Code | Status | When |
| --- | --- | --- |
${rows.join("\n")}

## Codes of single mistakes

Each mistake that a 422 lists has one of these codes.

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
`;
};
