import { toRole } from "../../../core/domain/people/member.ts";
import { verifyTrail } from "../../../core/flow/read/verify-trail.ts";
import { listGroupMembers } from "../../../core/store/people/groups.ts";
import { listInvitations, listInvitationsTo } from "../../../core/store/people/invitations.ts";
import { listMembers, listMemberships, readOwners } from "../../../core/store/people/read-members.ts";
import { buildWorkspace } from "../fixtures.ts";
import type { Scenario } from "../scenario.ts";

const WS = "ws_acme";
const DAN = "usr_acmedan";

/** The runs in which an acceptance was answered. If nothing answers for minutes, people give up, and press again later. */
const answeredIn = new WeakSet<object>();

/** A person who got no answer accepts again, and gets 404 if the first attempt has already used up the invitation. */
export const invitation: Scenario = {
  name: "invitation",
  about: "an invited person accepts twice at once: the person is an owner and in the group, and no invitation is left",
  setup: async (deps) => [
    await buildWorkspace(deps, {
      ws: WS,
      people: { alice: [], bob: [] },
      groups: { ops: ["alice"] },
      rules: { orders: { eventKey: "order.*" } },
    }),
  ],
  play: async ({ world, clients, fixtures: [acme] }) => {
    const groupIds = [acme?.groups["ops"] ?? ""];
    const offer = { email: "dan@acme.example", role: "owner", groupIds };
    const { status, body } = await clients.call<{ id?: string }>(acme!, "alice", "create-invitation", {
      body: offer,
    });
    if (status >= 500) return;
    if (status >= 400) clients.failures.push(`the invitation was answered ${status}`);
    const path = { invitationId: body?.id ?? "" };
    const accepted = await Promise.all([
      clients.call(acme!, DAN, "accept-invitation", { path }),
      clients.call(acme!, DAN, "accept-invitation", { path }),
    ]);
    if (accepted.some((answer) => answer.status < 500)) answeredIn.add(world);
    for (const answer of accepted)
      if (answer.status !== 200 && answer.status !== 404 && answer.status < 500)
        clients.failures.push(`accepting was answered ${answer.status}`);
  },
  expectNotified: () => undefined,
  check: async ({ world, fixtures: [acme] }) =>
    world.outside(async (deps) => {
      const dan = (await listMembers(deps, WS)).find(({ userId }) => userId === DAN);
      const inGroup = await listGroupMembers(deps, WS, acme?.groups["ops"] ?? "");
      const { faults } = await verifyTrail(deps, WS);
      if (!answeredIn.has(world)) return faults;
      return [
        ...faults,
        ...(dan === undefined ? ["the invited person is not a member"] : []),
        ...(dan !== undefined && toRole(dan, await readOwners(deps, WS)) !== "owner"
          ? ["the invited person is not an owner"]
          : []),
        ...((await listMemberships(deps, DAN)).includes(WS) ? [] : ["the invited person does not see the workspace"]),
        ...(inGroup.some(({ userId }) => userId === DAN) ? [] : ["the invited person is not in the group"]),
        ...((await listInvitations(deps, WS)).length === 0 ? [] : ["the invitation is still open"]),
        ...((await listInvitationsTo(deps, "dan@acme.example")).length === 0
          ? []
          : ["the invited person still has the invitation"]),
      ];
    }),
};
