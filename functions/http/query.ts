import * as v from "valibot";
import { UserId } from "../../core/domain/basics/user-id.ts";
import { timestampSchema } from "../../core/domain/basics/clock/timestamp.ts";
import { fromIso, toIso } from "../../core/domain/basics/time.ts";
import {
  EVENTS_PAGE_DEFAULT,
  EVENTS_PAGE_MAX,
  URGENT_PAGE_MAX,
  NOTIFICATIONS_DEFAULT,
  NOTIFICATIONS_MAX,
  STATISTICS_WEEKS_MAX,
} from "../../core/domain/basics/limits.ts";
import { phoneChannels, type PhoneChannel } from "../../core/domain/device/device.ts";
import { canonicalizeSiteAddress, webAddressSchema } from "../../core/domain/event/event.ts";
import { invalidInput, refuseField, type Fault } from "../../core/domain/basics/refusal.ts";
import { Outcome } from "../../core/domain/event/event-view.ts";
import { EventState } from "../../core/domain/event/lifecycle.ts";
import { reportedBy } from "../../core/domain/shifts/pay.ts";
import type { Span } from "../../core/domain/shifts/report.ts";
import { formatUtcMonth } from "../../core/domain/workspace/usage-plan.ts";
import { computeMondayOfWeek } from "../../core/domain/statistics/statistics.ts";
import { EventKeyFilter } from "../../core/domain/basics/event-key.ts";
import { canonicalizePriority, PrioritySpelling } from "../../core/domain/rules/matching/index.ts";
import { auditActions, type AuditFilter, targetKinds } from "../../core/domain/workspace/audit.ts";
import { ID_PREFIXES, isActorId, isId } from "../../core/domain/basics/ids.ts";
import { type Revocable, revocable } from "../../core/flow/admin/remove-people.ts";
import type { EventFilter } from "../../core/flow/read/list-events.ts";
import { parseInput } from "../../core/domain/basics/faults.ts";
import { textSchema } from "../../core/domain/basics/text.ts";
import type { HttpRequest } from "./request.ts";
import { WEEK_MS } from "../../core/domain/basics/units.ts";

const readParameters = <Output>(schema: v.GenericSchema<unknown, Output>, request: HttpRequest): Output => {
  const { value, faults } = parseInput(schema, Object.fromEntries(request.query));
  if (value === undefined) throw invalidInput(faults);
  return value;
};

const NUMBER = /^\+?\d+(?:\.\d+)?(?:e\+?\d+)?$/i;

/** Reads a whole number from 1 (`1e6` is allowed), or adds a fault. */
const readWholeNumber = (request: HttpRequest, field: string, defaultValue: number, faults: Fault[]): number => {
  const written = request.query.get(field);
  if (written === undefined) return defaultValue;
  const number = NUMBER.test(written) ? Number(written) : Number.NaN;
  if (Number.isInteger(number) && number >= 1) return number;
  faults.push({ field, code: "invalid", message: `${field} must be a whole number of at least 1.` });
  return defaultValue;
};

/** Reads the page number and the page size. Lowers a page size above the maximum. */
export const readPage = (request: HttpRequest): { page: number; limit: number } => {
  const faults: Fault[] = [];
  const page = readWholeNumber(request, "page", 1, faults);
  const limit = readWholeNumber(request, "limit", EVENTS_PAGE_DEFAULT, faults);
  if (request.query.has("page") && request.query.has("cursor"))
    faults.push({ field: "page", code: "invalid", message: '"page" cannot be used with "cursor".' });
  if (faults.length > 0) throw invalidInput(faults);
  return { page, limit: Math.min(limit, request.query.has("order") ? URGENT_PAGE_MAX : EVENTS_PAGE_MAX) };
};

export const readListLimit = (request: HttpRequest): number => {
  const faults: Fault[] = [];
  const limit = readWholeNumber(request, "limit", NOTIFICATIONS_DEFAULT, faults);
  if (faults.length > 0) throw invalidInput(faults);
  return Math.min(limit, NOTIFICATIONS_MAX);
};

const Order = v.optional(v.literal("urgency", '"order" must be "urgency".'));

/** Throws 422 for an order by urgency, except in a list of open events without a cursor: other lists are newest first. */
const checkOrder = (request: HttpRequest, { order, state }: { order?: unknown; state?: unknown }): void => {
  if (order === undefined) return;
  const faults: Fault[] = [];
  if (state !== "open")
    faults.push({ field: "order", code: "invalid", message: '"order" is allowed only with state=open.' });
  if (request.query.has("cursor"))
    faults.push({ field: "order", code: "invalid", message: '"order" cannot be used with "cursor".' });
  if (faults.length > 0) throw invalidInput(faults);
};

const NotificationFilter = v.object({
  user: v.optional(v.literal("me", '"user" must be "me".')),
  state: v.optional(v.literal("open", '"state" must be "open".')),
  order: Order,
});

export const readNotificationFilter = (request: HttpRequest): v.InferOutput<typeof NotificationFilter> => {
  const filter = readParameters(NotificationFilter, request);
  checkOrder(request, filter);
  return filter;
};

/** Returns the user id of the notification rules' owner; undefined for the caller's own rules. */
export const readRulesOwner = (request: HttpRequest): string | undefined =>
  readParameters(v.object({ userId: v.optional(UserId) }), request).userId;

/** Returns the query's `site` in the form in which events store sites; undefined if the query has no `site`. */
export const readSite = (request: HttpRequest): string | undefined => {
  const site = request.query.get("site");
  if (site === undefined) return undefined;
  const { value, faults } = parseInput(webAddressSchema("site"), site);
  if (value === undefined) throw invalidInput(faults.map((fault) => ({ ...fault, field: "site" })));
  return canonicalizeSiteAddress(value);
};

const FROM_AFTER_TO: Fault = { field: "from", code: "invalid", message: '"from" must not be later than "to".' };

const TITLE_PART_MAX = 100;

const Filter = v.object({
  title: v.optional(textSchema("title", TITLE_PART_MAX)),
  state: v.optional(EventState),
  outcome: v.optional(Outcome),
  eventKey: v.optional(EventKeyFilter),
  priority: v.optional(
    v.pipe(
      PrioritySpelling,
      v.transform((priority) => canonicalizePriority(priority)),
    ),
  ),
  order: Order,
  user: v.optional(v.literal("me", '"user" must be "me".')),
});

/** Reads the filter of a list of events; undefined if the query has no filter besides the site. */
export const readEventFilter = (request: HttpRequest): EventFilter | undefined => {
  const filter = { ...readParameters(Filter, request), ...readPeriod(request) };
  checkOrder(request, filter);
  if (filter.user !== undefined && filter.order === undefined)
    throw refuseField("user", "invalid", '"user" is allowed only with order=urgency.');
  return Object.values(filter).every((one) => one === undefined) ? undefined : { ...filter, site: readSite(request) };
};

/** Returns the time in ms that a query parameter contains; undefined if the parameter is absent. */
export const readInstant = (request: HttpRequest, field: string): number | undefined => {
  const written = request.query.get(field);
  if (written === undefined) return undefined;
  // A plus sign in a query is decoded as a space.
  const result = v.safeParse(timestampSchema(field), written.replace(" ", "+"));
  if (result.success) return fromIso(result.output);
  throw invalidInput(result.issues.map(({ message }) => ({ field, code: "invalid", message })));
};

/** Returns the start and the end of the query's period in ms; undefined if absent. */
const readPeriod = (request: HttpRequest): { from: number | undefined; to: number | undefined } => {
  const [from, to] = [readInstant(request, "from"), readInstant(request, "to")];
  if (from !== undefined && to !== undefined && from > to) throw invalidInput([FROM_AFTER_TO]);
  return { from, to };
};

const Audit = v.object({
  actor: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => text === "operator" || isActorId(text), "actor must be the id of a member, or operator."),
    ),
  ),
  action: v.optional(v.picklist(auditActions, `action must be one of ${auditActions.join(", ")}.`)),
  target: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => [...targetKinds].some((kind) => kind === text) || ID_PREFIXES.some((prefix) => isId(prefix, text)),
        `target must be an id, or one of ${targetKinds.join(", ")}.`,
      ),
    ),
  ),
});

export const readAuditFilter = (request: HttpRequest): AuditFilter => ({
  ...readParameters(Audit, request),
  ...readPeriod(request),
});

const By = v.object({ by: v.optional(v.picklist(["rule", "group"], '"by" must be one of group, rule.')) });
const WEEKS_DEFAULT = 12;

const refuseTooManyWeeks = (fromMs: number, toMs: number): void => {
  const message = `"from" and "to" must be at most ${STATISTICS_WEEKS_MAX} weeks apart.`;
  if (toMs - fromMs > STATISTICS_WEEKS_MAX * WEEK_MS) throw refuseField("from", "too_large", message);
};

/** Reads the requested weeks (as Mondays; by default the last twelve), and what each row is about (`by`). */
export const readStatisticsQuery = (
  request: HttpRequest,
  now: number,
): { from: string; to: string; by: "workspace" | "rule" | "group" } => {
  const { by = "workspace" } = readParameters(By, request);
  const to = readInstant(request, "to") ?? now;
  const from = readInstant(request, "from") ?? to - (WEEKS_DEFAULT - 1) * WEEK_MS;
  if (from > to) throw invalidInput([FROM_AFTER_TO]);
  refuseTooManyWeeks(from, to);
  return { from: computeMondayOfWeek(from), to: computeMondayOfWeek(to), by };
};

const Report = v.object({
  by: v.optional(v.picklist(reportedBy, '"by" must be one of person, group.'), "person"),
  format: v.optional(v.picklist(["json", "csv"], "format must be one of json, csv."), "json"),
});

/** Reads the period (by default this month until now), what each row is about, and the format. */
export const readReportQuery = (request: HttpRequest, now: number): Span & v.InferOutput<typeof Report> => {
  const to = readInstant(request, "to") ?? now;
  const from = readInstant(request, "from") ?? fromIso(`${formatUtcMonth(toIso(to - 1))}-01`) ?? 0;
  if (from >= to) throw refuseField("from", "invalid", '"from" must be earlier than "to".');
  refuseTooManyWeeks(from, to);
  return { from, to, ...readParameters(Report, request) };
};

export const readUserId = (request: HttpRequest): string =>
  readParameters(v.object({ userId: UserId }), request).userId;

const Active = v.object({ active: v.optional(v.picklist(["true", "false"], "active must be true or false.")) });

/** Returns whether to list only active (true) or only inactive silences; undefined for both. */
export const readActiveFilter = (request: HttpRequest): boolean | undefined => {
  const { active } = readParameters(Active, request);
  return active === undefined ? undefined : active === "true";
};

/** Reads the channel in the parameter `way`; undefined if the service should use the phone number's first channel. */
export const readPhoneChannel = (request: HttpRequest): PhoneChannel | undefined => {
  const channel = v.picklist(phoneChannels, `way must be one of ${phoneChannels.join(", ")}.`);
  return readParameters(v.object({ way: v.optional(channel) }), request).way;
};

const Force = v.object({ force: v.optional(v.picklist(["true", "false"], "force must be true or false."), "false") });

export const readItemsToRevoke = (request: HttpRequest): Revocable[] => {
  const named = request.query.get("revoke")?.split(",") ?? [];
  const known = revocable.filter((one) => named.includes(one));
  if (named.every((name) => known.some((one) => one === name))) return known;
  const message = `revoke must be a comma-separated list of ${revocable.join(", ")}.`;
  throw refuseField("revoke", "unknown_value", message);
};

/** Returns whether to delete an item even if other items refer to the item. */
export const readForce = (request: HttpRequest): boolean => {
  return readParameters(Force, request).force === "true";
};
