import { useState } from "preact/hooks";
import { showStatus } from "../app/status.ts";
import { texts } from "../texts.ts";

export const CopyButton = ({ text, label }: { text: string; label?: string | undefined }) => {
  const [copied, setCopied] = useState(false);
  const copyText = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    showStatus(texts.copied);
    window.setTimeout(() => setCopied(false), 2000);
  };
  return (
    <button type="button" aria-label={label} onClick={() => void copyText()}>
      {copied ? texts.copied : texts.copy}
    </button>
  );
};
