import { TextField, type TypedField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";

/** The tool that signs what it sends. */
export const SIGNING = "sentry";

/** The secret by which a tool signs. */
export const SecretField = (field: TypedField) => (
  <TextField label={texts.signing.secret} hint={texts.signing.secretHint} {...field} />
);
