import { eventTypeNames, eventTypes } from '../../../schema/events/event-types.ts'
import type { EventType as EventName } from '../../../schema/events/event-types.ts'
import type { EventType } from '../generated/operations.ts'

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- GraphQL names the values of an enum so (schema/builder/enum-type.ts)
const inGraphql = (name: EventName) => name.toUpperCase().replaceAll('.', '_') as EventType

const typeByName = new Map<string, EventType>(eventTypeNames.map((name) => [name, inGraphql(name)]))
const nameByType = new Map<EventType | null, EventName>(eventTypeNames.map((name) => [inGraphql(name), name]))

/** Returns the name of a type, such as `invoice.paid`, by its name in GraphQL. A removed type has none. */
export const eventName = (type: EventType | null): string => nameByType.get(type) ?? 'former type'

/** Returns the types with these names. */
export const toEventTypes = (names: readonly string[]): EventType[] => names.flatMap((name) => typeByName.get(name) ?? [])

export type EventSubject = (typeof eventTypes)[EventName]['subject']

/** Labels of the subjects of events, for headings. */
export const subjectLabels: Readonly<Record<EventSubject, string>> = {
  team: 'Team',
  member: 'Members',
  invitation: 'Invitations',
  token: 'Team tokens',
  grant: 'Connected apps',
  invoice: 'Invoices',
  webhook: 'Webhooks',
}

/** All events by subject, with a description of when they happen. */
export const eventsBySubject: ReadonlyMap<EventSubject, { name: EventName; about: string }[]> = Map.groupBy(
  eventTypeNames.map((name) => ({ name, about: eventTypes[name].about })),
  ({ name }) => eventTypes[name].subject,
)
