import type { FaultCode } from "../core/domain/basics/refusal.ts";
import { problemCodes, problems } from "./problems.ts";

export const faultMeanings: Readonly<Record<FaultCode, string>> = {
  required: "The field is missing.",
  unknown_field: "The field does not exist, or cannot be set here.",
  wrong_type: "The value has the wrong type.",
  unknown_value: "The value is not one of the allowed values.",
  too_long: "The text has too many characters or bytes.",
  too_short: "The text or the list is too short.",
  too_many: "The list has too many entries.",
  too_small: "The number is too small.",
  too_large: "The number or the period is too large.",
  out_of_range: "The time is too early or too late.",
  unknown_reference: "The id does not exist in this workspace.",
  in_use: "Another entry of the workspace already uses the value.",
  not_allowed: "The header `Idempotency-Key` is not allowed for a batch of events.",
  not_configured: "This service is not set up for this kind of connection. The operator of the service can set it up.",
  way_not_configured:
    "This service is not set up to notify by this channel. The operator of the service can set it up.",
  wrong_name: "The name in the request is not the name of the workspace to delete.",
  not_on_call: "Nobody, or another person, is on call during the time that the request names.",
  country_not_allowed: "This service does not send text messages to this country, or does not make calls to it.",
  premium_number: "The phone number is a premium-rate number.",
  not_deliverable: "The code could not be sent to the email address or phone number.",
  budget_used_up: "The workspace has used up this month's text messages or calls.",
  codes_used_up: "No more codes are sent today (UTC).",
  code_expired: "The code is more than an hour old, or a newer code was sent.",
  tries_used_up: "The code was tried too often. Request another code.",
  wrong_code: "This is not the code that was sent.",
  not_verified: "The email address or phone number is not verified yet.",
  pattern_too_dear:
    "The workspace's regular expressions would cost too much. `field` names the most expensive expression of the request.",
  idempotency_key_reused: "The `Idempotency-Key` was used with another body.",
  invalid: "Any other mistake. The message says what is allowed.",
};

export const renderErrorsPage = (): string => {
  const rows = problemCodes.map((code) => `- \`${code}\` (${problems[code].status}): ${problems[code].when}`);
  const faults = Object.entries(faultMeanings).map(([code, meaning]) => `- \`${code}\`: ${meaning}`);
  return `# Errors

For developers who write a client: every error code of the API and what it means. [openapi.json](openapi.json) lists the errors of each
endpoint. \`npm run openapi\` writes this page from \`interface/problems.ts\` and \`interface/errors.ts\`.

An error is a problem document (RFC 9457, \`application/problem+json\`) with \`type\`, \`title\`, \`status\`, \`detail\`, \`code\`, \`message\`
(the same text as \`detail\`) and \`requestId\`. Your program may depend on \`code\`; the texts may change. A 422 also has \`errors\`, an array
of \`{field, code, message}\` with every fault in the request. API Gateway itself answers requests without a session token, and requests
that it throttles, with the body \`{"message": ...}\`.

${rows.join("\n")}

## Codes of faults in a request

Each entry of \`errors\` in a 422 has one of these codes:

${faults.join("\n")}
`;
};
