import { DescribeStacksCommand } from "@aws-sdk/client-cloudformation";
import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminDisableUserCommand,
  AdminGetUserCommand,
  AdminUserGlobalSignOutCommand,
  ListUsersCommand,
  UnsupportedUserStateException,
  UserNotFoundException,
  UsernameExistsException,
} from "@aws-sdk/client-cognito-identity-provider";
import { beforeEach } from "vitest";
import type { Command, Options } from "../../operator/options.ts";
import type { createTestClock } from "../world/clock.ts";
import type { TestTable } from "../world/table.ts";
import { mockedClients, createStackDescription } from "./clients.ts";

const PAGE = 60;

type User = {
  sub: string;
  email: string;
  name: string;
  status: "FORCE_CHANGE_PASSWORD" | "CONFIRMED";
  changed: number;
};

/** Creates a stage whose user pool is in memory, with its users and the emails it sent. */
export const aStageWithPool = (
  stand: Pick<TestTable, "table">,
  clock: Pick<ReturnType<typeof createTestClock>["deps"], "now" | "newId">,
) => {
  const {
    clients,
    mocks: { cloudFormation, cognito },
  } = mockedClients(stand, clock);
  const users = new Map<string, User>();
  const mailed: string[] = [];
  const disabled: string[] = [];
  let creations = 0;
  /** Called before an account is created or an email is sent. */
  let before: (creation: number) => void = () => {};

  const attributesOf = ({ sub, email, name }: User) =>
    Object.entries({ sub, email, name }).map(([Name, Value]) => ({ Name, Value }));
  const add = (
    email: string,
    name = email,
    status: User["status"] = "FORCE_CHANGE_PASSWORD",
    userId?: string,
  ): User => {
    const known = userId?.replace(/^usr_(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
    const sub = known ?? `00000000-0000-4000-8000-${String(users.size + 1).padStart(12, "0")}`;
    const user = { sub, email, name, status, changed: clock.now() };
    users.set(email.toLowerCase(), user);
    return user;
  };

  beforeEach(() => {
    cloudFormation.reset();
    cognito.reset();
    users.clear();
    mailed.length = 0;
    disabled.length = 0;
    creations = 0;
    before = () => {};
    cloudFormation
      .on(DescribeStacksCommand)
      .resolves(createStackDescription({ UserPoolId: "pool", TableName: stand.table.name }));
    cognito
      .on(AdminCreateUserCommand)
      .callsFake(({ Username: email, MessageAction: action, UserAttributes: given }) => {
        creations += 1;
        before(creations);
        const known = users.get(email.toLowerCase());
        if (action === "RESEND") {
          if (known === undefined) throw new UserNotFoundException({ message: "none", $metadata: {} });
          if (known.status === "CONFIRMED") throw new UnsupportedUserStateException({ message: "no", $metadata: {} });
          known.changed = clock.now();
          mailed.push(known.email);
          return { User: { Attributes: attributesOf(known) } };
        }
        if (known !== undefined) throw new UsernameExistsException({ message: "known", $metadata: {} });
        const name = given.find(({ Name }: { Name: string }) => Name === "name")?.Value;
        const user = add(email, name);
        if (action !== "SUPPRESS") mailed.push(email);
        return { User: { Attributes: attributesOf(user) } };
      });
    cognito.on(AdminGetUserCommand).callsFake(async ({ Username: email }) => {
      const known = users.get(email.toLowerCase());
      if (known === undefined) throw new UserNotFoundException({ message: "none", $metadata: {} });
      return { UserAttributes: attributesOf(known) };
    });
    cognito.on(AdminDisableUserCommand).callsFake(async ({ Username: email }) => void disabled.push(email));
    cognito.on(AdminUserGlobalSignOutCommand).resolves({});
    cognito.on(AdminDeleteUserCommand).callsFake(async ({ Username: email }) => {
      if (!users.delete(email.toLowerCase())) throw new UserNotFoundException({ message: "none", $metadata: {} });
    });
    cognito.on(ListUsersCommand).callsFake(({ PaginationToken: from = "0", Filter: filter }) => {
      const [, field = "", wanted] = /^(\w+) = "(.*)"$/.exec(filter ?? "") ?? [];
      const all = [...users].filter(
        ([, user]) =>
          wanted === undefined || attributesOf(user).some(({ Name, Value }) => Name === field && Value === wanted),
      );
      const next = Number(from) + PAGE;
      return {
        Users: all.slice(Number(from), next).map(([username, user]) => ({
          Username: username,
          Attributes: attributesOf(user),
          Enabled: !disabled.includes(user.email),
          UserStatus: user.status,
          UserLastModifiedDate: new Date(user.changed),
        })),
        ...(next < all.length ? { PaginationToken: String(next) } : {}),
      };
    });
  });

  return {
    users,
    mailed,
    disabled,
    add,
    creations: () => creations,
    beforeEachCall: (call: (creation: number) => void): void => {
      before = call;
    },
    /** Runs a command. `around`: wraps each call to the table. */
    run: (command: Command, options: Options, around?: (send: () => Promise<unknown>) => Promise<unknown>) => {
      const { client } = stand.table;
      const send = (asked: never) => around?.(() => client.send(asked)) ?? client.send(asked);
      return command.run({ ...clients, dynamo: { send: send as never } }, { stage: "prod", ...options });
    },
  };
};
