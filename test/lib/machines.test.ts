import { describe, expect, it } from "vitest";
import { Template } from "aws-cdk-lib/assertions";
import { readConfig } from "../../lib/config.ts";
import { aStack, valueAt, idOf, listAt, resourcesOf } from "./support.ts";

const machines = ["ci", "terraform-2"];

describe("the machine accounts of a stage", () => {
  const resources = resourcesOf({ machines });
  const clients = resources("AWS::Cognito::UserPoolClient");
  const own = clients.filter(([, client]) => valueAt(client, "GenerateSecret") === true);

  it("have one client each, with a secret, only for client credentials", () => {
    expect(own.map(([, { Properties }]) => Properties)).toMatchObject(
      machines.map((name) => ({
        ClientName: `machine-${name}`,
        AllowedOAuthFlowsUserPoolClient: true,
        AllowedOAuthFlows: ["client_credentials"],
        AllowedOAuthScopes: [
          { "Fn::Join": ["", [{ Ref: resources("AWS::Cognito::UserPoolResourceServer")[0]?.[0] }, "/member"]] },
        ],
        ExplicitAuthFlows: ["ALLOW_REFRESH_TOKEN_AUTH"],
        SupportedIdentityProviders: ["COGNITO"],
        AccessTokenValidity: 60,
        TokenValidityUnits: { AccessToken: "minutes" },
      })),
    );
    for (const [, client] of own)
      for (const name of ["CallbackURLs", "WriteAttributes"]) expect(valueAt(client, name)).toBeUndefined();
  });

  it("have one OAuth scope, which grants nothing by itself", () => {
    expect(resources("AWS::Cognito::UserPoolResourceServer").map(([, { Properties }]) => Properties)).toMatchObject([
      { Identifier: "event-alerting", Scopes: [{ ScopeName: "member" }] },
    ]);
  });

  it("are accepted by the authorizer, which names their clients beside the clients of people", () => {
    const [authorizer] = resources("AWS::ApiGatewayV2::Authorizer");

    const audience = listAt(authorizer?.[1], "JwtConfiguration.Audience").map(idOf);
    expect(audience.toSorted()).toEqual(clients.map(([id]) => id).toSorted());
    expect(clients).toHaveLength(4);
  });

  it("are listed with their clients in an output, for the operator's command", () => {
    const outputs = Template.fromStack(aStack({ machines })).toJSON()["Outputs"] as Record<string, { Value: unknown }>;
    const ids = own.map(([id]) => id);

    expect(outputs["MachineClientIds"]?.Value).toEqual({
      "Fn::Join": ["", ["ci=", { Ref: ids[0] }, " terraform-2=", { Ref: ids[1] }]],
    });
  });

  it("leave nothing in the template if the stage has none", () => {
    const none = resourcesOf();

    expect(none("AWS::Cognito::UserPoolResourceServer")).toEqual([]);
    expect(
      none("AWS::Cognito::UserPoolClient").filter(([, client]) => valueAt(client, "GenerateSecret") === true),
    ).toEqual([]);
  });
});

describe("the setting for machine accounts", () => {
  it("is a list, or names with commas between them on the command line", () => {
    expect(readConfig({ machines: "ci,terraform-2" }).machines).toEqual(machines);
    expect(readConfig({ machines }).machines).toEqual(machines);
  });

  it.each([
    ["a name in capital letters", "CI"],
    ["the same name twice", "ci,ci"],
    ["a name that begins with a hyphen", "-ci"],
    ["a name with an underscore", "ci_2"],
    ["a name of 21 characters", "c".repeat(21)],
    ["a list with a number", ["ci", 2]],
    ["an object", { ci: true }],
    ["four names", "a,b,c,d"],
  ])("may not be %s", (_, wrong) => {
    expect(() => readConfig({ machines: wrong })).toThrow(/^The setting "machines" must be at most 3 names/);
  });
});
