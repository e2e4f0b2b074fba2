import { eventTypeNames } from '../../../../schema/events/event-types.ts'
import type { EventType } from '../../../../schema/events/event-types.ts'
import { nearest } from '../../../config/nearest.ts'
import { UsageError } from '../../command.ts'
import { toEnumName } from '../../context.ts'
import type { WebhookOutputFragment } from '../../generated/operations.ts'

// The options that describe a webhook, and the output that shows it.

export const webhookById = { id: { stored: 'webhook', description: 'identifier of the webhook, as shown by webhook list' } } as const

export const ownerOptions = {
  team: { value: 'SLUG', stored: 'team', description: 'slug of the team' },
  'all-teams': { description: 'for the events of all teams, which only an operator can receive' },
} as const

/** Returns the slug of the team, or null for all teams. */
export function ownerOf({ team, 'all-teams': allTeams }: { team: string | undefined; 'all-teams': boolean }): string | null {
  if ((team !== undefined) === allTeams) throw new UsageError('one of --team SLUG and --all-teams is required')
  return team ?? null
}

export const typesOption = {
  value: 'TYPES',
  multiple: true,
  suggestions: eventTypeNames,
  description: 'types of events, separated by commas, such as member.joined,member.removed',
} as const

/** Returns the types of events in an option; undefined without the option, empty for an empty value. */
export function typesOf(given: readonly string[]): EventType[] | undefined {
  if (given.length === 0) return undefined
  const names = given.flatMap((value) => value.split(',')).map((name) => name.trim())
  const unknown = names.find((name) => name !== '' && !eventTypeNames.some((type) => type === name))
  if (unknown !== undefined) throw new UsageError(`unknown event type ${unknown}`, undefined, nearest(unknown, eventTypeNames))
  return eventTypeNames.filter((type) => names.includes(type))
}

const typesByName = new Map<string, EventType>(eventTypeNames.map((type) => [toEnumName(type), type]))
export const typeOf = (name: string): EventType | null => typesByName.get(name) ?? null

/** Formats the webhook for output, with values as in REST. */
export const webhookOutput = <Fields extends WebhookOutputFragment>({ types, state, disabled_reason: reason, ...rest }: Fields) => ({
  ...rest,
  types: types.map(typeOf),
  state: state.toLowerCase(),
  disabled_reason: reason?.toLowerCase() ?? null,
})
