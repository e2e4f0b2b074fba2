import { eventTypeNames } from '../../../../schema/events/event-types.ts'
import type { EventType } from '../../../../schema/events/event-types.ts'
import { nearest } from '../../../config/nearest.ts'
import { command, UsageError } from '../../command.ts'
import { asOperator, toEnumName } from '../../context.ts'
import { CreateWebhookDocument, TeamWebhooksDocument, WebhookDocument, WebhooksDocument } from '../../generated/operations.ts'
import type { WebhookOutputFragment } from '../../generated/operations.ts'
import { memberRows, table } from '../../terminal/table.ts'

// The options that describe a webhook, and the output that shows it.

export const webhookById = { id: { stored: 'webhook', description: 'identifier of the webhook, as shown by webhook list' } } as const

const ownerOptions = {
  team: { value: 'SLUG', stored: 'team', description: 'slug of the team' },
  'all-teams': { description: 'for the events of all teams, which only an operator can receive' },
} as const

/** Returns the slug of the team, or null for all teams. */
function getOwner({ team, 'all-teams': allTeams }: { team: string | undefined; 'all-teams': boolean }): string | null {
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
export function parseEventTypes(options: readonly string[]): EventType[] | undefined {
  if (options.length === 0) return undefined
  const names = options.flatMap((value) => value.split(',')).map((name) => name.trim())
  const unknown = names.find((name) => name !== '' && !eventTypeNames.some((type) => type === name))
  if (unknown !== undefined) throw new UsageError(`unknown event type ${unknown}`, undefined, nearest(unknown, eventTypeNames))
  return eventTypeNames.filter((type) => names.includes(type))
}

const typesByName = new Map<string, EventType>(eventTypeNames.map((type) => [toEnumName(type), type]))
const findEventType = (name: string): EventType | null => typesByName.get(name) ?? null

/** Formats the webhook for output, with values as in REST. */
export const webhookOutput = <Fields extends WebhookOutputFragment>({ types, state, disabled_reason: reason, ...rest }: Fields) => ({
  ...rest,
  types: types.map(findEventType),
  state: state.toLowerCase(),
  disabled_reason: reason?.toLowerCase() ?? null,
})

export const webhookCreate = command({
  name: 'webhook create',
  summary: 'Deliver the events of a team, or of all teams, to a URL',
  description: `Prints the secret that signs deliveries, by Standard Webhooks 1.0. It is not shown again. The webhook receives what happens from
now on. A team can have 20.`,
  options: {
    ...ownerOptions,
    url: { value: 'URL', required: true, description: 'URL that receives the events: https, on the public internet' },
    types: { ...typesOption, description: `${typesOption.description} (default: all)` },
    description: { value: 'TEXT', description: 'a note for people' },
  },
  run: async ({ options: { url, types, description, ...owner } }) => {
    const input = { team: getOwner(owner), url, types: parseEventTypes(types)?.map(toEnumName), description }
    const { webhook, secret } = (await asOperator((execute) => execute(CreateWebhookDocument, { input }))).payload
    const text = `Created webhook ${webhook.id}. Its secret, which is not shown again:\n${secret}`
    return { value: { ...webhookOutput(webhook), secret }, text }
  },
})

export const webhookList = command({
  name: 'webhook list',
  summary: 'List the webhooks of a team, or those of all teams’ events',
  description: 'Delivered and failed count the attempts of the last 24 hours.',
  options: ownerOptions,
  run: async ({ options }) => {
    const slug = getOwner(options)
    const webhooks = await asOperator(async (execute) =>
      slug === null ? (await execute(WebhooksDocument, {})).webhooks : (await execute(TeamWebhooksDocument, { slug })).team.webhooks,
    )
    const data = webhooks.map(webhookOutput)
    const rows = data.map(({ id, state, url, last_day: { delivered, failed }, failing_since, types, description }) => [
      url,
      state,
      id,
      failing_since,
      String(delivered),
      String(failed),
      types.length === 0 ? 'all' : types.join(' '),
      description,
    ])
    const headings = ['url', 'state', 'id', 'failing since', 'delivered', 'failed', 'types', 'description']
    return { value: { data }, text: table(headings, rows) }
  },
})

export const webhookShow = command({
  name: 'webhook show',
  summary: 'Show a webhook and its last deliveries',
  positionals: webhookById,
  run: ({ positionals: { id } }) =>
    asOperator(async (execute) => {
      const { webhook } = await execute(WebhookDocument, { id })
      const { deliveries: page, ...fields } = webhook
      const value = webhookOutput(fields)
      const deliveries = page.nodes.map((delivery) =>
        Object.assign(delivery, { type: delivery.type && findEventType(delivery.type), result: delivery.result.toLowerCase() }),
      )
      const shown = { ...value, types: value.types.length === 0 ? 'all' : value.types }
      const members = Object.entries(shown).flatMap(([name, member]) => memberRows(name, member))
      const rows = deliveries.map(({ at, result, status, latency_milliseconds, attempt, type, is_test, error }) => [
        at,
        result,
        status === null ? null : String(status),
        `${latency_milliseconds} ms`,
        String(attempt),
        is_test ? `${type ?? ''} (test)` : type,
        error,
      ])
      const headings = ['at', 'state', 'status', 'time', 'attempt', 'type', 'error']
      return { value: { ...value, deliveries }, text: `${table(['member', 'value'], members)}\n\n${table(headings, rows)}` }
    }),
})
