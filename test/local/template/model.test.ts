import { describe, expect, it } from "vitest";
import { readModel } from "../../../local/template/model.ts";
import { createResolver, parseTemplate, TemplateError } from "../../../local/template/resolve.ts";
import { aTemplate, type Resources } from "./a-template.ts";

const urls = { queues: "http://127.0.0.1:4000", api: "http://127.0.0.1:3000", signIn: "http://127.0.0.1:5000" };
const readModelChanged = (change: (resources: Resources) => void = () => {}) => {
  const template = aTemplate();
  change(template.Resources);
  return readModel(parseTemplate(template), urls);
};

describe("a template that the local service runs", () => {
  it("becomes functions with the same environment and policies as on AWS", () => {
    const { functions } = readModelChanged();

    expect(functions.find(({ name }) => name === "echo")).toMatchObject({
      physicalName: "service-echo",
      timeoutMs: 2000,
      memoryMb: 256,
      environment: {
        TABLE_NAME: "Table",
        QUEUE_URL: "http://127.0.0.1:4000/000000000000/Queue",
        ISSUER: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_UserPool",
      },
      statements: [
        {
          Effect: "Allow",
          Action: ["dynamodb:GetItem", "dynamodb:PutItem"],
          Resource: ["arn:aws:dynamodb:us-east-1:000000000000:table/Table"],
        },
        { Effect: "Allow", Action: ["sqs:SendMessage"], Resource: ["arn:aws:sqs:us-east-1:000000000000:Queue"] },
      ],
    });
  });

  it("becomes routes, consumers and schedules", () => {
    const model = readModelChanged();

    expect(model.api.routes).toStrictEqual([
      {
        method: "GET",
        path: "/v1/things/{thingId}",
        functionName: "echo",
        timeoutMs: 30_000,
        authorizer: {
          issuer: "https://cognito-idp.us-east-1.amazonaws.com/us-east-1_UserPool",
          audience: ["Client"],
        },
        permitted: true,
        throttle: undefined,
      },
    ]);
    expect(model.consumers).toMatchObject([{ functionName: "faulty", batchSize: 5, maxConcurrency: 2 }]);
    expect(model.schedules).toMatchObject([{ functionName: "echo", everyMs: 60_000, permitted: true }]);
  });

  it("reports a route whose function does not let API Gateway call it", () => {
    const { api } = readModelChanged((resources) => delete resources["ApiPermission"]);

    expect(api.routes[0]?.permitted).toBe(false);
  });

  it("lets a route call its function by the role of its integration if this role permits the call", () => {
    const readWithCredentials = (resource: unknown) => {
      const { api } = readModelChanged((resources) => {
        delete resources["ApiPermission"];
        resources["Integration"]!.Properties["CredentialsArn"] = { "Fn::GetAtt": ["Caller", "Arn"] };
        resources["Caller"] = {
          Type: "AWS::IAM::Role",
          Properties: {
            AssumeRolePolicyDocument: {
              Version: "2012-10-17",
              Statement: [{ Effect: "Allow", Principal: { Service: "apigateway.amazonaws.com" } }],
            },
            Policies: [
              {
                PolicyName: "call",
                PolicyDocument: {
                  Version: "2012-10-17",
                  Statement: [{ Effect: "Allow", Action: "lambda:InvokeFunction", Resource: resource }],
                },
              },
            ],
          },
        };
      });
      return api.routes[0]?.permitted;
    };

    expect(readWithCredentials({ "Fn::GetAtt": ["Echo", "Arn"] })).toBe(true);
    expect(readWithCredentials({ "Fn::GetAtt": ["Faulty", "Arn"] })).toBe(false);
  });

  it("gives a route the stage's throttle, and is refused if the throttle names a missing route", () => {
    const readWithThrottle = (key: string) => () =>
      readModelChanged((resources) => {
        resources["Stage"]!.Properties["RouteSettings"] = {
          [key]: { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 },
        };
      }).api.routes[0]?.throttle;

    expect(readWithThrottle("GET /v1/things/{thingId}")()).toEqual({ requestsPerSecond: 5, burst: 10 });
    expect(readWithThrottle("GET /v1/other")).toThrow(TemplateError);
  });

  it.each([
    ["a function with more than 4 KB of variables", "Echo", "Environment", { Variables: { LONG: "x".repeat(4_086) } }],
    ["a variable that Lambda sets itself", "Echo", "Environment", { Variables: { AWS_REGION: "eu-central-1" } }],
    ["a function whose name has 65 characters", "Echo", "FunctionName", "x".repeat(65)],
    ["a function of more than 15 minutes", "Echo", "Timeout", 901],
    ["a function of less than 128 MB", "Echo", "MemorySize", 127],
    ["an integration of more than 30 seconds", "Integration", "TimeoutInMillis", 30_001],
    ["the schedule rate(30 seconds)", "Timer", "ScheduleExpression", "rate(30 seconds)"],
    ["the schedule rate(1 minutes)", "Timer", "ScheduleExpression", "rate(1 minutes)"],
    ["the schedule rate(2 minute)", "Timer", "ScheduleExpression", "rate(2 minute)"],
  ])("is refused, as AWS refuses it, for %s", (_, id, property, value) => {
    expect(() => readModelChanged((resources) => (resources[id]!.Properties[property] = value))).toThrow(TemplateError);
  });

  it.each([
    ["4 KB of variables", "Echo", "Environment", { Variables: { LONG: "x".repeat(4_085) } }],
    ["a name of 64 characters", "Echo", "FunctionName", "x".repeat(64)],
    ["a timeout of fifteen minutes", "Echo", "Timeout", 900],
    ["an integration timeout of thirty seconds", "Integration", "TimeoutInMillis", 30_000],
    ["a schedule of two minutes", "Timer", "ScheduleExpression", "rate(2 minutes)"],
    ["a schedule of eleven minutes", "Timer", "ScheduleExpression", "rate(11 minutes)"],
  ])("may have values up to AWS's limits, such as %s", (_, id, property, value) => {
    expect(() => readModelChanged((resources) => (resources[id]!.Properties[property] = value))).not.toThrow();
  });

  it("counts a policy that is attached to a role as a policy of the role itself", () => {
    const { functions } = readModelChanged((resources) => {
      resources["Attached"] = {
        Type: "AWS::IAM::Policy",
        Properties: {
          PolicyName: "attached",
          Roles: [{ Ref: "Role" }],
          PolicyDocument: {
            Version: "2012-10-17",
            Statement: [{ Effect: "Allow", Action: "dynamodb:Query", Resource: "*" }],
          },
        },
      };
    });

    expect(functions[0]?.statements.at(-1)).toStrictEqual({
      Effect: "Allow",
      Action: ["dynamodb:Query"],
      Resource: ["*"],
    });
  });
});

describe("the local service does not start, because it would run differently from AWS, if the template has", () => {
  const expectRefusal = (message: RegExp, change: (resources: Resources) => void) => () => {
    expect(() => readModelChanged(change)).toThrow(TemplateError);
    expect(() => readModelChanged(change)).toThrow(message);
  };

  it(
    "an unknown resource",
    expectRefusal(/Bus: AWS::Events::EventBus is not supported here/, (resources) => {
      resources["Bus"] = { Type: "AWS::Events::EventBus", Properties: {} };
    }),
  );
  it(
    "an unknown property",
    expectRefusal(/Mapping.*FilterCriteria/s, (resources) => {
      resources["Mapping"]!.Properties["FilterCriteria"] = { Filters: [] };
    }),
  );
  it(
    "a condition in a policy",
    expectRefusal(/Role.*Condition/s, (resources) => {
      const statement = { Effect: "Allow", Action: "sqs:*", Resource: "*", Condition: { Bool: { "aws:x": "true" } } };
      const document = { Version: "2012-10-17", Statement: [statement] };
      resources["Role"]!.Properties["Policies"] = [{ PolicyName: "work", PolicyDocument: document }];
    }),
  );
  it(
    "a managed policy",
    expectRefusal(/ManagedPolicyArns/, (resources) => {
      resources["Role"]!.Properties["ManagedPolicyArns"] = ["arn:aws:iam::aws:policy/AdministratorAccess"];
    }),
  );
  it(
    "a batching window",
    expectRefusal(/a batching window is not supported here/, (resources) => {
      resources["Mapping"]!.Properties["MaximumBatchingWindowInSeconds"] = 5;
    }),
  );
  it(
    "a queue that shows a message again while it is being processed",
    expectRefusal(/visibility timeout is below/, (resources) => {
      resources["Queue"]!.Properties["VisibilityTimeout"] = 1;
    }),
  );
  it(
    "a reference to a missing resource",
    expectRefusal(/Ref Nowhere: there is no such resource/, (resources) => {
      resources["Echo"]!.Properties["Environment"] = { Variables: { X: { Ref: "Nowhere" } } };
    }),
  );
  it(
    "a cron schedule",
    expectRefusal(/only rate\(\.\.\.\) in minutes, hours or days is supported here/, (resources) => {
      resources["Timer"]!.Properties["ScheduleExpression"] = "cron(0 12 * * ? *)";
    }),
  );
});

describe("an intrinsic function in a local template", () => {
  const template = parseTemplate({ Resources: {}, Parameters: { Stage: { Type: "String", Default: "dev" } } });
  const resolve = createResolver(template, new Map([["Queue", { ref: "url", attributes: { Arn: "a:b:c" } }]]));

  it.each([
    ["Ref to a resource", { Ref: "Queue" }, "url"],
    ["Ref to a parameter", { Ref: "Stage" }, "dev"],
    ["Ref to the region", { Ref: "AWS::Region" }, "us-east-1"],
    ["Fn::GetAtt with a list", { "Fn::GetAtt": ["Queue", "Arn"] }, "a:b:c"],
    ["Fn::GetAtt with a text", { "Fn::GetAtt": "Queue.Arn" }, "a:b:c"],
    ["Fn::Join", { "Fn::Join": ["-", ["x", { Ref: "Stage" }, { Ref: "AWS::NoValue" }]] }, "x-dev"],
    [
      "Fn::Sub with a text",
      { "Fn::Sub": "${Stage}/${Queue}/${Queue.Arn}/${AWS::Partition}/${!Kept}" },
      "dev/url/a:b:c/aws/${Kept}",
    ],
    ["Fn::Sub with its own variable", { "Fn::Sub": ["${Name} in ${Stage}", { Name: { Ref: "Queue" } }] }, "url in dev"],
    ["Fn::Select of Fn::Split", { "Fn::Select": [2, { "Fn::Split": [":", { "Fn::GetAtt": ["Queue", "Arn"] }] }] }, "c"],
    [
      "AWS::NoValue, which leaves nothing in a list or an object",
      { kept: [1, { Ref: "AWS::NoValue" }], left: { Ref: "AWS::NoValue" } },
      { kept: [1] },
    ],
  ])("is replaced by its value: %s", (_, value, expected) => {
    expect(resolve(value as never)).toStrictEqual(expected);
  });

  it.each([
    ["Fn::ImportValue", { "Fn::ImportValue": "x" }, /Fn::ImportValue is not supported here/],
    ["Fn::GetAtt of an unknown attribute", { "Fn::GetAtt": ["Queue", "Colour"] }, /Queue.Colour is not supported here/],
    ["a dynamic reference to Systems Manager", "{{resolve:ssm:/x}}", /dynamic references/],
  ])("is refused if it is %s", (_, value, message) => {
    expect(() => resolve(value as never)).toThrow(message);
  });

  it("is refused in a template with conditions", () => {
    expect(() => parseTemplate({ Resources: {}, Conditions: { Big: true } })).toThrow(
      /Conditions are not supported here/,
    );
  });
});
