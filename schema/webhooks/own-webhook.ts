import type { Webhook } from '../../prisma/generated/client/client.ts'
import { readRow, webhookColumns } from '../../prisma/statement/read-row.ts'
import type { Transaction } from '../../prisma/statement/transaction.ts'
import type { Context } from '../core/context.ts'
import { invalid, notFound } from '../core/errors.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { authorize, recentOwner } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'
import { findTeamAccess, requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { readEvents, requirementsOfSubjects } from '../events/catalogue.ts'
import { eventTypeNames, eventTypes, isEventType } from '../events/event-types.ts'

const webhookById = `SELECT ${webhookColumns} FROM webhooks w WHERE w.id = $1`

/**
 * Returns a webhook of a team in which the caller meets the requirement, by its identifier or global id. Throws `not_found` for any other,
 * whether it exists or not. Webhooks for all teams belong to the operator.
 */
export async function findWebhook(context: Context, globalId: string, requirement: Requirement): Promise<Webhook> {
  const id = parseIdentifier(globalId, ['Webhook'])
  const webhook = isIdentifier(id) ? await readRow<Webhook>(context.database.pool, 'webhook_by_id', webhookById, id) : null
  if (!webhook) throw notFound()
  if (webhook.teamId === null) {
    const { kind } = requirePrincipal(context)
    if (kind !== 'operator' && kind !== 'staff') throw notFound()
    return webhook
  }
  const teamAccess = await findTeamAccess(context, 'id', webhook.teamId)
  if (!teamAccess) throw notFound()
  authorize(context, requirement, teamAccess)
  return webhook
}

/**
 * Throws unless the caller may read the events that a webhook delivers. A token that may change the URL must not learn more than from the
 * feed.
 */
export async function authorizeEvents(context: Context, { teamId }: Webhook, types: readonly string[]): Promise<void> {
  const teamAccess = teamId === null ? null : await findTeamAccess(context, 'id', teamId)
  const eventNames = types.length === 0 ? eventTypeNames : types.filter(isEventType)
  const requirements = new Set(eventNames.map((type) => requirementsOfSubjects[eventTypes[type].subject]))
  for (const requirement of [readEvents, ...requirements]) authorize(context, requirement, teamAccess)
}

/** Locks a webhook until the transaction ends and reads it. Throws `not_found` if it was deleted since. */
export async function lockWebhook(transaction: Transaction, id: string): Promise<Webhook> {
  const webhook = await readRow<Webhook>(transaction, 'lock_webhook', `${webhookById} FOR UPDATE`, id)
  if (!webhook) throw notFound('the webhook was deleted')
  return webhook
}

/** Locks a webhook in the same way, and throws unless it is enabled: repeated deliveries would wait until then. */
export async function lockEnabledWebhook(transaction: Transaction, id: string): Promise<Webhook> {
  const webhook = await lockWebhook(transaction, id)
  if (webhook.disabledAt) throw invalid({ id: ['The webhook is disabled. Enable it first.'] })
  return webhook
}

/** Returns the common part of audit entries about a webhook. */
export const auditedWebhook = ({ id, teamId, url }: Webhook) => ({ ...(teamId !== null && { teamId }), subject: id, subjectName: url })

/** The requirement to change, test, replay and delete webhooks. */
export const writeWebhooks: Requirement = { scopes: ['acct:team:webhooks:write'], roles: ['owner'] }

/** The requirement to enable and disable a webhook, and in it to change the other settings. */
export const enableWebhooks: Requirement = { ...writeWebhooks, staffRole: 'admin' }

/** The requirement of mutations that return a secret. */
export const writeWebhookSecrets: Requirement = recentOwner
