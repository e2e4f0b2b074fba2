import { auditActions } from '../core/audit/actions.ts'
import type { AuditActionRow } from '../core/audit/audited-mutations.ts'
import type { Context } from '../core/context.ts'
import { readWebhooks, seeTeamAccess, authorize, isAuthorized } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requireTeamAccess } from '../core/team-access/team-access.ts'
import { requiresInviting } from '../invitations/invitation.ts'
import { requires as readInvoices } from '../invoices/invoice.ts'
import { readMembers } from '../members/member.ts'
import { readTeam } from '../teams/team.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import type { EventSubject } from './event-data.ts'
import { eventTypes, eventTypeNames } from './event-types.ts'
import type { EventType } from './event-types.ts'

/** The requirement to read the events of a team. Each type also needs the requirement of its subject. */
export const readEvents: Requirement = { scopes: ['acct:team:events:read'] }

/** The requirements, besides `readEvents`, to read events about each kind of object. */
export const requirementsOfSubjects: Readonly<Record<EventSubject, Requirement>> = {
  team: readTeam,
  member: readMembers,
  invitation: requiresInviting,
  token: seeTeamTokens,
  grant: seeTeamAccess,
  invoice: readInvoices,
  webhook: readWebhooks,
}

/** The ways to read the data of events (schema/events/stream.ts). */
type EventSource = EventSubject | 'acceptedInvitation' | 'formerOwner'

const rows: Readonly<Record<string, AuditActionRow<EventType, EventSource>>> = auditActions

/** An event of an action, with its position among the events of the action. */
export interface EventPart {
  action: string
  part: number
  type: EventType
  source: EventSource
}

/** All events of all actions. */
export const eventParts: readonly EventPart[] = Object.entries(rows).flatMap(([action, { events = '' }]) =>
  typeof events === 'string'
    ? []
    : events.map((event, part) =>
        typeof event === 'string' ? { action, part, type: event, source: eventTypes[event].subject } : { action, part, ...event },
      ),
)

/** Returns the types of a request that the caller may read. Throws the refusal of a requested type that the caller may not read. */
export async function readableTypes(context: Context, slug: string, types: readonly EventType[] | null): Promise<ReadonlySet<EventType>> {
  const teamAccess = await requireTeamAccess(context, slug)
  const getRequirement = (type: EventType) => requirementsOfSubjects[eventTypes[type].subject]
  if (!types) return new Set(eventTypeNames.filter((type) => isAuthorized(context, getRequirement(type), teamAccess)))
  for (const type of types) authorize(context, getRequirement(type), teamAccess)
  return new Set(types)
}
