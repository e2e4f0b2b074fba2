import { recentSession } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'

/** The requirement to change, test, replay and delete webhooks. */
export const writeWebhooks: Requirement = { scopes: ['acct:team:webhooks:write'], roles: ['owner'] }

/** The requirement of mutations that return a secret. */
export const writeWebhookSecrets: Requirement = { ...recentSession, roles: ['owner'] }
