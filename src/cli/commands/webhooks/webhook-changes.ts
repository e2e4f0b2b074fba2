import { maxReplayed } from '../../../../schema/webhooks/rules.ts'
import { parseTime, durationSecondsOrZero } from '../../argument-values.ts'
import { command, UsageError } from '../../command.ts'
import { asOperator, toEnumName } from '../../context.ts'
import {
  DeleteWebhookDocument,
  ReplayEventsDocument,
  RotateWebhookSecretDocument,
  UpdateWebhookDocument,
} from '../../generated/operations.ts'
import { webhookById, parseEventTypes, typesOption, webhookOutput } from './webhook.ts'

export const webhookUpdate = command({
  name: 'webhook update',
  summary: 'Change, enable or disable a webhook',
  description: `Omitted options stay unchanged. An empty value of --types means all types.

A webhook that is enabled again continues with the first event that was not delivered (--from stopped), or with what happens from now
on (--from present).`,
  positionals: webhookById,
  options: {
    url: { value: 'URL', description: 'URL that receives the events: https, on the public internet' },
    description: { value: 'TEXT', description: 'a note for people' },
    types: typesOption,
    enable: { description: 'deliver events again' },
    from: { value: 'START', values: ['stopped', 'present'], description: 'with which events it continues (default: stopped)' },
    disable: { description: 'deliver no events until it is enabled again' },
  },
  run: async ({ positionals: { id }, options: { url, description, types, enable, from, disable } }) => {
    if (enable && disable) throw new UsageError('only one of --enable and --disable can be used')
    if (from !== undefined && !enable) throw new UsageError('--from is used with --enable')
    const enabled = enable ? true : disable ? false : undefined
    const input = { id, url, description, types: parseEventTypes(types)?.map(toEnumName), enabled, continueFrom: from && toEnumName(from) }
    const { webhook } = (await asOperator((execute) => execute(UpdateWebhookDocument, { input }))).payload
    return { value: webhookOutput(webhook), text: `Updated webhook ${webhook.id}. It is ${webhook.state.toLowerCase()}.` }
  },
})

export const webhookRotateSecret = command({
  name: 'webhook rotate-secret',
  summary: 'Create a new secret for a webhook',
  description: 'Prints the new secret. It is not shown again. Deliveries are signed with the current secret, too, for the overlap.',
  positionals: webhookById,
  options: {
    overlap: { value: 'TIME', values: ['0', '1h', '1d', '7d'], description: 'how long the current secret signs, too (default: 1d)' },
  },
  run: async ({ positionals: { id }, options: { overlap = '1d' } }) => {
    const input = { id, overlapSeconds: durationSecondsOrZero(overlap, '--overlap') }
    const { webhook, secret } = (await asOperator((execute) => execute(RotateWebhookSecretDocument, { input }))).payload
    return { value: { ...webhookOutput(webhook), secret }, text: secret }
  },
})

export const webhookDelete = command({
  name: 'webhook delete',
  summary: 'Delete a webhook and its deliveries',
  positionals: webhookById,
  confirmation: ({ id }) => `Delete webhook ${id} with the record of its deliveries? This cannot be undone.`,
  run: async ({ positionals: { id } }) => {
    const { webhook } = (await asOperator((execute) => execute(DeleteWebhookDocument, { input: { id } }))).payload
    return { value: webhookOutput(webhook), text: `Deleted webhook ${webhook.id}.` }
  },
})

export const webhookReplay = command({
  name: 'webhook replay',
  summary: 'Deliver the events of a time to a webhook again',
  description: `Delivers events of the types of the webhook again, oldest first and at most ${maxReplayed}, whether they were delivered or not. A time is a
date, which begins at midnight UTC, or an instant. While the webhook is disabled, they wait until it is enabled.`,
  positionals: webhookById,
  options: {
    since: { value: 'TIME', required: true, description: 'only events at or after this time, such as 2026-01-31 or 2026-01-31T09:30:00Z' },
    until: { value: 'TIME', description: 'only events before this time (default: now)' },
    'only-failed': { description: 'only events that were attempted and never delivered' },
  },
  run: async ({ positionals: { id }, options: { since, until, 'only-failed': onlyFailed } }) => {
    const [start, end] = [parseTime(since, '--since'), until === undefined ? new Date() : parseTime(until, '--until')]
    if (start >= end) throw new UsageError('--until must be later than --since')
    const input = { id, since: start.toISOString(), until: end.toISOString(), onlyFailed }
    const { webhook, events } = (await asOperator((execute) => execute(ReplayEventsDocument, { input }))).payload
    const more = events === maxReplayed ? ' That is the most of one replay: for later ones, use a later --since.' : ''
    const text = `${events} ${events === 1 ? 'event' : 'events'} will be delivered to ${webhook.url}.${more}`
    return { value: { ...webhookOutput(webhook), events }, text }
  },
})
