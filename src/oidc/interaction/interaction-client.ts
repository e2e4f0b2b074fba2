import type { Request, Response } from 'express'
import type { Provider } from 'oidc-provider'
import { interactionPath, isInteractionPath } from '../../web/page-paths.ts'
import type { Interaction } from '../provider/provider-internals.ts'
import { endedSessionReason, secondFactorReason } from '../provider/prompts.ts'
import { findClient } from '../storage/stored-client.ts'
import { isBoundToBrowser } from './browser.ts'
import { getRedirectUri, switchAccountReason } from './interaction-request.ts'
import { findSignIn } from './interaction-sign-in.ts'
import type { SignInPorts } from './interaction-sign-in.ts'

/** The client that an interaction belongs to, for the sign-in page. */
export interface PendingClient {
  clientId: string
  clientName: string
  /** The client's hint about the user; empty if there is none, or if the user wants another account. */
  loginHint: string
  /** True if the browser goes to the client in the end; false for a device. */
  isReturnedTo: boolean
  /**
   * True if the user of the session has signed in for the client, possibly in another tab. A client that requests a sign-in by
   * `prompt=login`, `max_age` or `id_token_hint` gets a separate one.
   */
  isSignedIn: boolean
}

/**
 * Finds the client that waits for a sign-in in this browser, by the path of its interaction. Returns null for any other path, and for an
 * interaction that started in another browser, because an attacker could send a user a link with its path.
 */
export async function findPendingClient(
  ports: SignInPorts,
  provider: Provider,
  request: Request,
  response: Response,
  path: string,
): Promise<PendingClient | null> {
  const uid = isInteractionPath(path) ? path.slice(interactionPath.length + 1) : ''
  const interaction = uid === '' ? undefined : await provider.Interaction.find(uid)
  if (interaction?.prompt.name !== 'login' || !isBoundToBrowser(ports, interaction, request, response)) return null
  const client = await findClient(ports.database.pool, String(interaction.params['client_id']), ports.now())
  if (!client) return null
  const isShared = interaction.prompt.reasons.every((reason) => sharedReasons.has(reason))
  return {
    clientId: client.clientId,
    clientName: client.name,
    loginHint: getLoginHint(interaction),
    isReturnedTo: getRedirectUri(interaction) !== null,
    isSignedIn: isShared && (await findSignIn(ports, { provider, interaction, request, response })) !== null,
  }
}

/** Reasons of a login prompt for which a sign-in in another tab is sufficient. */
const sharedReasons = new Set(['no_session', 'account_gone', secondFactorReason, endedSessionReason, switchAccountReason])

function getLoginHint({ prompt, params }: Interaction): string {
  const { login_hint: hint } = params
  return typeof hint === 'string' && !prompt.reasons.includes(switchAccountReason) ? hint : ''
}
