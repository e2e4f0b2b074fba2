import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import type { Database } from '../../../prisma/connection/database.ts'
import { interactionPath } from '../provider/endpoints.ts'
import type { Interaction } from '../provider/provider-internals.ts'
import { findClient } from '../storage/client.ts'
import { redirectUriOf, switchAccountReason } from './interaction-request.ts'
import { secondFactorReason } from '../provider/prompts.ts'
import { findSignIn } from './sign-in.ts'
import type { SignInPorts } from './sign-in.ts'

/** The client that an interaction belongs to, for the sign-in page. */
export interface RequestingClient {
  clientId: string
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
  const interaction = await findInteraction(provider, path)
  const client = interaction && (await findClient(pool, String(interaction.params['client_id']), now))
  if (!client) return null
  return {
    clientId: client.clientId,
    clientName: client.name,
    loginHint: loginHintOf(interaction),
    isReturnedTo: redirectUriOf(interaction) !== null,
  }
}

/**
 * Whether the user of the session has signed in for the interaction with this path, perhaps in another tab. A client that requests
 * a sign-in by `prompt=login`, `max_age` or `id_token_hint` gets one of its own.
 */
export async function continuesInteraction(ports: SignInPorts, provider: Provider, request: Request, response: Response, path: string) {
  const interaction = await findInteraction(provider, path)
  if (!interaction?.prompt.reasons.every((reason) => sharedReasons.has(reason))) return false
  return (await findSignIn(ports, { provider, interaction, request, response })) !== null
}

/** Reasons of a login prompt for which a sign-in in another tab is enough. */
const sharedReasons = new Set(['no_session', 'account_gone', secondFactorReason, switchAccountReason])

function findInteraction(provider: Provider, path: string): Promise<Interaction | undefined> {
  const uid = path.startsWith(`${interactionPath}/`) ? path.slice(interactionPath.length + 1) : ''
  return uid === '' ? Promise.resolve(undefined) : provider.Interaction.find(uid)
}

function loginHintOf({ prompt, params }: Interaction): string {
  const { login_hint: hint } = params
  return typeof hint === 'string' && !prompt.reasons.includes(switchAccountReason) ? hint : ''
}
