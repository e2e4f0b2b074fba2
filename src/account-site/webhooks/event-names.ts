import { eventTypeNames, eventTypes } from '../../../schema/events/event-types.ts'
import type { EventType as EventName } from '../../../schema/events/event-types.ts'
import type { EventType } from '../generated/operations.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- GraphQL names the values of an enum so (schema/builder/enum-type.ts)
const inGraphql = (name: EventName) => name.toUpperCase().replaceAll('.', '_') as EventType

const typeByName = new Map<string, EventType>(eventTypeNames.map((name) => [name, inGraphql(name)]))
const nameByType = new Map<EventType | null, EventName>(eventTypeNames.map((name) => [inGraphql(name), name]))

/** `invoice.paid`, by its name in GraphQL. A type that no longer exists has none. */
export const eventName = (type: EventType | null): string => nameByType.get(type) ?? 'former type'

/** The types with these names. */
export const eventTypesOf = (names: readonly string[]): EventType[] => names.flatMap((name) => typeByName.get(name) ?? [])

export type EventSubject = (typeof eventTypes)[EventName]['subject']

/** What events are about, as headings. */
export const subjectLabels: Readonly<Record<EventSubject, string>> = {
  team: 'Team',
  member: 'Members',
  invitation: 'Invitations',
  token: 'Team tokens',
  grant: 'Connected apps',
  invoice: 'Invoices',
  webhook: 'Webhooks',
}

/** All events by what they are about, with when they happen. */
export const eventsBySubject: ReadonlyMap<EventSubject, { name: EventName; about: string }[]> = Map.groupBy(
  eventTypeNames.map((name) => ({ name, about: eventTypes[name].about })),
  ({ name }) => eventTypes[name].subject,
)
