import type { Provider } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { interactionPath } from '../endpoints.ts'
import type { Interaction } from '../provider-internals.ts'
import { findClient } from '../storage/client.ts'
import { redirectUriOf, switchAccountReason } from './interaction-request.ts'

/** The client that an interaction belongs to, for the sign-in page. */
export interface RequestingClient {
  clientName: string
  /** The client's hint about the user; empty if there is none, or the user wants another account. */
  loginHint: string
  /** Whether the browser goes to the client in the end; false for a device. */
  isReturnedTo: boolean
}

/** Finds the client that waits for the user to sign in, by the path of its interaction; null for any other path. */
export async function findRequestingClient(
  provider: Provider,
  { pool }: Database,
  path: string,
  now: Date,
): Promise<RequestingClient | null> {
  const uid = path.startsWith(`${interactionPath}/`) ? path.slice(interactionPath.length + 1) : ''
  const interaction = uid === '' ? undefined : await provider.Interaction.find(uid)
  const client = interaction && (await findClient(pool, String(interaction.params['client_id']), now))
  return client ? { clientName: client.name, loginHint: loginHintOf(interaction), isReturnedTo: redirectUriOf(interaction) !== null } : null
}

function loginHintOf({ prompt, params }: Interaction): string {
  const { login_hint: hint } = params
  return typeof hint === 'string' && !prompt.reasons.includes(switchAccountReason) ? hint : ''
}
