type Warning = { code: string; id?: string | undefined; message: string };
type WarningsProps = {
  warnings: readonly Warning[];
  /** The people a warning can be about. */
  members: readonly { userId: string; name: string }[];
};

/** The API's warnings: the input is saved, but may not do what was meant. A warning about a person names them. */
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
