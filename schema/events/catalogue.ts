import { auditActions } from '../core/audit/actions.ts'
import type { AuditActionRow } from '../core/audit/audited-mutations.ts'
import { readWebhooks, seeTeamAccess } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { requires as readInvoices } from '../invoices/invoice.ts'
import { requiresInviting } from '../invitations/invitation.ts'
import { readMembers } from '../members/member.ts'
import { readTeam } from '../teams/team.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import type { EventSubject } from './event-data.ts'
import { eventTypes } from './event-types.ts'
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
export type EventSource = EventSubject | 'acceptedInvitation' | 'formerOwner'

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
