import type { Answers } from "../../app/types.ts";
import { setQuery } from "../../app/router.ts";
import { Action } from "../../parts/action.tsx";
import { Ago } from "../../parts/ago.tsx";
import { Empty } from "../../parts/states.tsx";
import { texts } from "../../page-texts/webhooks.ts";

type Delivery = Answers["WebhookDeliveries"]["items"][number];

const short: Readonly<Record<string, string>> = texts.webhooks.typeShort;

const formatDeliveryName = ({ type, sequence }: Delivery): string => `${short[type] ?? type} #${sequence}`;

type DeliveriesProps = { name: string; items: readonly Delivery[]; replay: (delivery: Delivery) => Promise<string> };

/** Lists a webhook's deliveries, newest first. */
export const Deliveries = ({ name, items, replay }: DeliveriesProps) => (
  <section class="panel" aria-label={texts.webhooks.deliveriesOf(name)}>
    <h2>{texts.webhooks.deliveriesOf(name)}</h2>
    {items.length === 0 ? (
      <Empty>{texts.webhooks.noDelivery}</Empty>
    ) : (
      <>
        <p class="soft small">{texts.webhooks.newest}</p>
        <ul class="rows">
          {items.map((delivery) => (
            <li key={delivery.id} tabIndex={-1} data-row>
              {delivery.eventId === null ? (
                <span>{formatDeliveryName(delivery)}</span>
              ) : (
                <a href={`/events/${delivery.eventId}`}>{formatDeliveryName(delivery)}</a>
              )}
              <span class={delivery.status === "failed" ? "status-failed" : ""}>
                {texts.webhooks.deliveryStatus[delivery.status]}
              </span>
              {delivery.code !== null && (
                <span class="soft">
                  {delivery.code}, {texts.webhooks.tries(delivery.tries)}
                </span>
              )}
              <span class="soft">
                <Ago at={delivery.createdAt} />
              </span>
              {delivery.status !== "waiting" && (
                <Action
                  label={`${texts.webhooks.replay} ${short[delivery.type] ?? delivery.type} ${delivery.id}`}
                  action={() => replay(delivery)}
                >
                  {texts.webhooks.replay}
                </Action>
              )}
            </li>
          ))}
        </ul>
      </>
    )}
    <p class="buttons">
      <button type="button" onClick={() => setQuery({ of: undefined })}>
        {texts.webhooks.close}
      </button>
    </p>
  </section>
);
