type Warning = { code: string; id?: string | undefined; message: string };
type WarningsProps = {
  warnings: readonly Warning[];
  /** Those whom a warning can be about. */
  members: readonly { userId: string; name: string }[];
};

/** What the API warns of: it is kept as it is, but may not do what was meant. Of a person it says who. */
export const Warnings = ({ warnings, members }: WarningsProps) => (
  <>
    {warnings.map(({ code, id = "", message }) => {
      const who = members.find(({ userId }) => userId === id)?.name;
      return (
        <p key={`${code} ${id}`} class="note warn">
          {who === undefined ? "" : `${who}: `}
          {message}
        </p>
      );
    })}
  </>
);
