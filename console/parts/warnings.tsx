import { texts } from "../page-texts.ts";

type Warning = { code: string; id?: string | undefined; message: string };
type WarningsProps = {
  warnings: readonly Warning[];
  members: readonly { userId: string; name: string }[];
};

/** Shows one line per kind of warning, with the names of people. */
export const Warnings = ({ warnings, members }: WarningsProps) => {
  const listNames = ({ id }: Warning): string[] => {
    const member = members.find(({ userId }) => userId === id);
    return member === undefined ? [] : [member.name];
  };
  return (
    <>
      {[...Map.groupBy(warnings, ({ code, message }) => `${code} ${message}`)].map(([key, some]) => {
        const [first] = some;
        const names = texts.inbox.names(some.flatMap(listNames));
        if (first === undefined) return null;
        return (
          <p key={key} class="note warn">
            {first.code === "no_device" && names !== ""
              ? texts.unreachable(some.length, members.length, names)
              : [names, first.message].filter((part) => part !== "").join(": ")}
          </p>
        );
      })}
    </>
  );
};
