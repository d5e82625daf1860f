import { TextField, type TypedField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";

/** The field for the secret with which a tool signs. */
export const SecretField = (field: TypedField) => (
  <TextField label={texts.signing.secret} hint={texts.signing.secretHint} {...field} />
);
