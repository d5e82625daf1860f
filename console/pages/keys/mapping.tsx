import { useEffect, useState } from "preact/hooks";
import { ignoreFailed, notPossible } from "../../app/failure.ts";
import { loadPart } from "../../app/part.ts";
import type { Inputs } from "../../app/types.ts";
import { AreaField, type TypedField } from "../../parts/form.tsx";
import { texts } from "../../page-texts.ts";
import type { Tried } from "./try-mapping.ts";

/** What a mapping looks like, to begin with. */
export const FIRST_MAPPING = JSON.stringify(
  {
    resource: "my_tool",
    title: ["title"],
    body: ["message"],
    priority: ["severity"],
    dedupeKey: ["id"],
    resolved: { path: "status", is: ["resolved"] },
  },
  null,
  2,
);

/** Throws a Failed for what is no JSON; the service says what else is wrong. */
export const readMapping = (text: string): NonNullable<Inputs["ApiKeyInput"]["mapping"]> => {
  try {
    return JSON.parse(text);
  } catch {
    throw notPossible(texts.mapping.noJson);
  }
};

/** Where a tool's messages have what, tried on one of them. What is tried stays in the browser. */
export const MappingFields = (field: TypedField) => {
  const mapping = field.value;
  const [message, setMessage] = useState("");
  const [tried, setTried] = useState<Tried>();
  useEffect(() => {
    let isCurrent = true;
    const tryIt = async (): Promise<void> => {
      const { tryMapping } = await loadPart(() => import("./try-mapping.ts"));
      if (isCurrent) setTried(message.trim() === "" ? undefined : tryMapping(mapping, message));
    };
    tryIt().catch(ignoreFailed);
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
