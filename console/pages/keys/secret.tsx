import { TextField, type TypedField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";

/** Shows a field for the secret with which the tool signs its messages. */
export const SecretField = (field: TypedField) => (
  <TextField label={texts.signing.secret} hint={texts.signing.secretHint} {...field} />
);
