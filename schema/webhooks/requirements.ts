import { recentSession } from '../core/requires.ts'
import type { Requirement } from '../core/requires.ts'

/** To change, test, replay and delete them. */
export const writeWebhooks: Requirement = { scopes: ['acct:team:webhooks:write'], roles: ['owner'] }

/** For what shows a secret. */
export const writeWebhookSecrets: Requirement = { ...recentSession, roles: ['owner'] }
