import { TextField, type TypedField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";

/** The tool signs its messages with the secret. */
export const SecretField = (field: TypedField) => (
  <TextField label={texts.signing.secret} hint={texts.signing.secretHint} {...field} />
);
