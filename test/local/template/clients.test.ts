import { describe, expect, it } from "vitest";
import { readModel } from "../../../local/template/model.ts";
import { parseTemplate, TemplateError } from "../../../local/template/resolve.ts";
import { aTemplate } from "./a-template.ts";

const urls = { queues: "http://127.0.0.1:4000", api: "http://127.0.0.1:3000", signIn: "http://127.0.0.1:5000" };
const scope = { "Fn::Join": ["", [{ Ref: "Server" }, "/member"]] };

const read = (change: object = {}) => {
  const template = aTemplate();
  Object.assign(template.Resources, {
    Server: {
      Type: "AWS::Cognito::UserPoolResourceServer",
      Properties: {
        UserPoolId: { Ref: "UserPool" },
        Identifier: "event-alerting",
        Name: "Machines",
        Scopes: [{ ScopeName: "member", ScopeDescription: "Be a member" }],
      },
    },
    Machine: {
      Type: "AWS::Cognito::UserPoolClient",
      Properties: {
        UserPoolId: { Ref: "UserPool" },
        ClientName: "machine-ci",
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ["client_credentials"],
        AllowedOAuthScopes: [scope],
        GenerateSecret: true,
        AccessTokenValidity: 30,
        ...change,
      },
    },
  });
  return readModel(parseTemplate(template), urls);
};

describe("a client that asks for itself", () => {
  it("is a machine, and nobody signs in by it", () => {
    const { machines, signIn } = read();

    expect(machines).toEqual([
      {
        name: "ci",
        id: "Machine",
        issuer: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_UserPool",
        scopes: ["event-alerting/member"],
        accessTokenMs: 1_800_000,
      },
    ]);
    expect(signIn).toEqual([]);
  });

  it.each([
    [{ GenerateSecret: false }, "cannot be selected if the client does not have a secret"],
    [{ AllowedOAuthFlows: ["code", "client_credentials"], GenerateSecret: false }, "along with another flow"],
    [{ AllowedOAuthScopes: ["openid"] }, "takes scopes of a resource server only, not openid"],
    [{ AllowedOAuthScopes: ["event-alerting/owner"] }, "not event-alerting/owner"],
    [{ AllowedOAuthScopes: [] }, "needs a scope"],
    [{ AllowedOAuthFlows: ["implicit"] }, "only the flows with a code or a secret are run here"],
    [{ AllowedOAuthFlows: ["code"] }, "a client with a secret, which a page cannot keep"],
  ])("with %j is refused, as on AWS or because it is not run here", (change, message) => {
    expect(() => read(change)).toThrow(TemplateError);
    expect(() => read(change)).toThrow(message);
  });
});
