import type { SignedRequestOptions } from "../../core/push/signed-request.ts";
import { createAwsServer, type AwsService } from "../../local/aws/front.ts";
import { createPolicies } from "../../local/aws/policies.ts";
import { region } from "../../local/template/resolve.ts";
import { serve } from "./serve.ts";

export const createSigning = (endpoint: string): SignedRequestOptions => ({
  endpoint,
  region,
  credentials: { keyId: "sender", secret: "local", token: "token" },
  now: Date.now,
  deadlineMs: 2000,
});

/** Starts a service behind policies that allow one action, and lists the denied actions. */
export const startBehindPolicies = async (
  services: Readonly<Record<string, AwsService>>,
  action: string,
  Resource: string[],
) => {
  const denied: string[] = [];
  const front = createAwsServer({
    services,
    policies: createPolicies([{ name: "sender", statements: [{ Effect: "Allow", Action: [action], Resource }] }]),
    onDenied: (_, message) => denied.push(message),
  });
  return { ...(await serve(front)), denied };
};
