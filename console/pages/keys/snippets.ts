/*
 * Each snippet prints why an event was refused, and retries after 429, 5xx and no answer for a limited time. All attempts have
 * the same idempotency key, so that no second event is created.
 */

export type SnippetHead = Record<"curl" | "JavaScript" | "Python", string>;

export const fromEnvironment: SnippetHead = {
  curl: "# BASE_URL is the service's address, API_KEY a key of the console's page API keys.",
  JavaScript: "const { BASE_URL, API_KEY } = process.env;",
  Python: 'BASE_URL, API_KEY = os.environ["BASE_URL"], os.environ["API_KEY"]',
};

/** Returns the lines that set the URL and the key, by language. */
export const buildHead = (url: string, key: string): SnippetHead => ({
  curl: `BASE_URL='${url}' API_KEY='${key}'`,
  JavaScript: `const BASE_URL = "${url}";\nconst API_KEY = "${key}";`,
  Python: `BASE_URL = "${url}"\nAPI_KEY = "${key}"`,
});

export const WITH_CLIENT = "JavaScript, with the client";
const IMPORT_CLIENT = 'import { createClient } from "event-alerting-client";';
/** The name of a snippet, which is also a heading in docs/send.md. */
type SnippetName = keyof SnippetHead | typeof WITH_CLIENT;
type Snippets = readonly (readonly [name: SnippetName, code: string])[];

/** Returns the code that sends the event, by language or client. `head`: the lines that set the URL and the key. */
export const buildSnippets = (head: SnippetHead, event: object): Snippets => {
  // Single quotes in the body are escaped for a shell, because a single quote would end the body.
  const body = JSON.stringify(event);
  const inJavaScript = Object.entries(event)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}`)
    .join(", ");
  const inShell = body.replaceAll("'", String.raw`'\''`);
  return [
    [
      "curl",
      `${head.curl}
curl -sS --fail-with-body --max-time 10 --retry 4 --retry-connrefused "$BASE_URL/v1/events" \\
  -H "X-Api-Key: $API_KEY" -H 'Content-Type: application/json' -H "Idempotency-Key: $HOSTNAME-$$-$(date +%s)" \\
  -d '${inShell}'
`,
    ],
    [
      "JavaScript",
      `${head.JavaScript}

const send = async (event, tries = 5) => {
  const headers = {
    "X-Api-Key": API_KEY,
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
  };
  const request = { method: "POST", headers, body: JSON.stringify(event) };
  for (let round = 1; ; round += 1) {
    let seconds = 2 ** round;
    let trouble;
    try {
      const answer = await fetch(\`\${BASE_URL}/v1/events\`, { ...request, signal: AbortSignal.timeout(10_000) });
      if (answer.ok) return await answer.json();
      trouble = new Error(\`\${answer.status} \${await answer.text()}\`);
      if (answer.status !== 429 && answer.status < 500) round = tries;
      seconds = Number(answer.headers.get("retry-after") ?? seconds);
    } catch (error) {
      trouble = error;
    }
    if (round >= tries) throw trouble;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
};

console.log(await send({ ${inJavaScript} }));
`,
    ],
    [
      WITH_CLIENT,
      `// npm install ./event-alerting-client-*.tgz
${IMPORT_CLIENT}

${head.JavaScript}
const alerts = createClient({ baseUrl: BASE_URL, apiKey: API_KEY });
const { eventId } = await alerts.postEvent({
  body: { ${inJavaScript} },
});
console.log(eventId);
`,
    ],
    [
      "Python",
      `import json, os, time, urllib.error, urllib.request, uuid

${head.Python}


def send(event, tries=5):
    headers = {"X-Api-Key": API_KEY, "Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    request = urllib.request.Request(BASE_URL + "/v1/events", data=json.dumps(event).encode(), headers=headers)
    for attempt in range(1, tries + 1):
        seconds = 2**attempt
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            trouble = f"{error.code} {error.read().decode()}"
            if error.code != 429 and error.code < 500:
                break
            seconds = float(error.headers.get("Retry-After", seconds))
        except OSError as error:
            trouble = str(error)
        if attempt < tries:
            time.sleep(seconds)
    raise SystemExit(trouble)


print(send(${body}))
`,
    ],
  ];
};
