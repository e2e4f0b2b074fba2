import { builder } from '../builder/builder.ts'
import { enumType } from '../builder/enum-type.ts'
import { ActorKindType } from '../audit/audit-enums.ts'
import type { ActorKind } from '../audit/audit-enums.ts'
import { eventParts } from './catalogue.ts'
import { eventTypeNames, eventTypes } from './event-types.ts'
import type { EventType } from './event-types.ts'
import { anyEventData, buildEventData, ofFormerOwner } from './event-data.ts'
import type { EventRow } from './stream.ts'

/** An event in the form of the API. */
export interface TeamEventNode {
  id: string
  type: EventType
  occurredAt: string
  team: string
  sequence: string
  actor: { kind: ActorKind; id: string | null; name: string }
  data: Readonly<Record<string, unknown>>
}

export const EventTypeEnum = enumType(
  'EventType',
  'What happened in a team.',
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the catalogue
  Object.fromEntries(eventTypeNames.map((name) => [name, eventTypes[name].about])) as Record<EventType, string>,
)

const EventActorType = builder.objectRef<TeamEventNode['actor']>('EventActor').implement({
  description: 'Who caused an event.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ActorKindType, describedBy: 'AuditEntry.actorKind' }),
    userId: t.exposeID('id', { nullable: true, description: 'The identifier of the user; null for other actors.' }),
    name: t.exposeString('name', { describedBy: 'AuditEntry.actorName' }),
  }),
})

export const EventNodeType = builder.objectRef<TeamEventNode>('Event').implement({
  description: 'Something that happened in a team.',
  fields: (t) => ({
    eventId: t.exposeID('id', { description: 'The identifier of the event. An event that is delivered again has the same.' }),
    type: t.expose('type', { type: EventTypeEnum, description: 'What happened.' }),
    occurredAt: t.expose('occurredAt', { type: 'DateTime', description: 'When it happened.' }),
    team: t.exposeString('team', { description: 'The slug of the team.' }),
    sequence: t.exposeString('sequence', {
      description: 'A text of which the sort order is that in which the events of a team happened.',
    }),
    actor: t.expose('actor', { type: EventActorType, description: 'Who caused it.' }),
    data: t.expose('data', {
      type: 'JSON',
      extensions: { rule: anyEventData },
      description: 'Identifiers of what the event is about, and what changed. `type` says its members.',
    }),
  }),
})

const partsByKey = new Map(eventParts.map((each) => [`${each.action} ${each.part}`, each]))

/** Builds an event from a row. */
export function buildEvent(row: EventRow): TeamEventNode {
  const eventPart = partsByKey.get(`${row.action} ${row.part}`)
  if (!eventPart) throw new Error(`no event is part ${row.part} of ${row.action}`)
  const { type, source } = eventPart
  return {
    id: row.part === 0 ? row.id : `${row.id}-${row.part}`,
    type,
    occurredAt: row.at,
    team: row.team,
    sequence: [BigInt(row.transactionId).toString(16).padStart(16, '0'), row.at, row.id, row.part].join('_'),
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written from a principal
    actor: { kind: row.actorKind as ActorKind, id: row.actorUserId, name: row.actorName },
    data: buildEventData[eventTypes[type].subject](source === 'formerOwner' ? ofFormerOwner(row) : row),
  }
}

/** Converts an event to the form of REST and of deliveries. */
export const eventBody = ({ id, type, occurredAt, team, sequence, actor, data }: TeamEventNode) => ({
  id,
  type,
  occurred_at: occurredAt,
  team,
  sequence,
  actor: { kind: actor.kind, id: actor.id, name: actor.name },
  data,
})
