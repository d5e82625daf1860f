/** What the API warns of when something was written: it is kept as it is, but may not do what was meant. */
export const Warnings = ({
  warnings,
}: {
  warnings: readonly { code: string; id?: string | undefined; message: string }[];
}) => (
  <>
    {warnings.map(({ code, id = "", message }) => (
      <p key={`${code} ${id}`} class="note warn" role="status">
        {message}
      </p>
    ))}
  </>
);
