import { TextField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";

/** The tool that signs what it sends. */
export const SIGNING = "sentry";

/** The secret by which a tool signs. */
export const SecretField = ({ secret, onSecret }: { secret: string; onSecret: (secret: string) => void }) => (
  <TextField
    label={texts.signing.secret}
    name="signingSecret"
    hint={texts.signing.secretHint}
    value={secret}
    onValue={onSecret}
  />
);
