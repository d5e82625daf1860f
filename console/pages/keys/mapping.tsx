import { useEffect, useState } from "preact/hooks";
import { ignoreFailed } from "../../app/failure.ts";
import { loadPart } from "../../app/part.ts";
import { AreaField, type TypedField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";
import type { MappingResult } from "./try-mapping.ts";

/** Shows the field of the mapping, and tests the mapping with an example message, which is not sent. */
export const MappingFields = (field: TypedField) => {
  const mapping = field.value;
  const [message, setMessage] = useState("");
  const [tried, setTried] = useState<MappingResult>();
  useEffect(() => {
    let isCurrent = true;
    const testMapping = async (): Promise<void> => {
      const { tryMapping } = await loadPart(() => import("./try-mapping.ts"));
      if (isCurrent) setTried(message.trim() === "" ? undefined : tryMapping(mapping, message));
    };
    testMapping().catch(ignoreFailed);
    return () => {
      isCurrent = false;
    };
  }, [mapping, message]);
  return (
    <>
      <AreaField label={texts.mapping.mapping} hint={texts.mapping.mappingHint} {...field} />
      <AreaField
        label={texts.mapping.message}
        name="message"
        hint={texts.mapping.messageHint}
        value={message}
        onValue={setMessage}
      />
      <div role="status" class="field" aria-label={texts.mapping.tried}>
        {tried !== undefined && "wrong" in tried && <p class="wrong">{tried.wrong}</p>}
        {tried !== undefined && "lines" in tried && (
          <ul>
            {tried.lines.map((line, index) => (
              <li key={index}>{line}</li>
            ))}
          </ul>
        )}
      </div>
    </>
  );
};
