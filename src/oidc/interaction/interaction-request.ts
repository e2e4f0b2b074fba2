import type { Request, Response } from 'express'
import { errors } from 'oidc-provider'
import type { Provider } from 'oidc-provider'
import type { VNode } from 'preact'
import { interactionPath } from '../../web/page-paths.ts'
import { sendPage } from '../../web/send-page.tsx'
import type { Database } from '../../../prisma/connection/database.ts'
import { signedCookies, unbindFromSession } from '../provider/provider-internals.ts'
import type { Interaction } from '../provider/provider-internals.ts'
import { findClient } from '../storage/stored-client.ts'
import type { Client } from '../storage/stored-client.ts'

/** A request for an interaction, from the browser in which the interaction started. */
export interface InteractionRequest {
  provider: Provider
  interaction: Interaction
  /** The client that sent the authorization request. */
  client: Client
  request: Request
  response: Response
}

/** The form was not sent from one of our pages, or not from a page for this user. */
export class InvalidFormError extends Error {}

/**
 * Loads the interaction of a request. Throws `SessionNotFound` if it is unknown, has ended or belongs to another browser, or if the client
 * or its redirect URI is no longer registered.
 */
export async function loadInteractionRequest(
  provider: Provider,
  { pool }: Database,
  now: Date,
  request: Request,
  response: Response,
): Promise<InteractionRequest> {
  await unbindSignInFromSession(provider, request, response)
  const interaction = await provider.interactionDetails(request, response)
  if (interaction.uid !== request.params['uid']) throw new errors.SessionNotFound('the cookie belongs to another interaction')
  const client = await findClient(pool, String(interaction.params['client_id']), now)
  if (!client) throw new errors.SessionNotFound('the client is unknown or disabled')
  const uri = getRedirectUri(interaction)
  const isRegistered = uri === null || (await provider.Client.find(client.clientId))?.redirectUriAllowed(uri)
  if (!isRegistered) throw new errors.SessionNotFound('the redirect URI is no longer registered')
  return { provider, interaction, client, request, response }
}

/**
 * oidc-provider binds an interaction to the session in which it started. An interaction that waits for a sign-in is released, because the
 * session in which the user signs in counts, and signing in can end the earlier one.
 */
async function unbindSignInFromSession(provider: Provider, request: Request, response: Response): Promise<void> {
  const id = signedCookies(provider, request, response).get('interaction', { signed: true })
  const interaction = id === undefined ? undefined : await provider.Interaction.find(id)
  if (interaction?.prompt.name === 'login' && interaction.session) await unbindFromSession(interaction)
}

/** Returns the path of the interaction's page. */
export const formatInteractionPath = ({ uid }: Interaction) => `${interactionPath}/${uid}`

/** Returns the path to which a form of the interaction is sent. */
export const formatFormAction = (interaction: Interaction, form: 'switch' | 'consent') => `${formatInteractionPath(interaction)}/${form}`

/** Returns the redirect URI to which the browser is sent at the end; null for a device, whose browser stays here. */
export function getRedirectUri({ params }: Interaction): string | null {
  const { redirect_uri: uri } = params
  return typeof uri === 'string' ? uri : null
}

/** Sends a page of the interaction. Its forms lead to the client. */
export function sendInteractionPage({ interaction, response }: InteractionRequest, page: VNode, status = 200): void {
  sendPage(response, status, page, { leadToClient: getRedirectUri(interaction) !== null })
}

/** The reason of a login prompt after the user has chosen "Use another account". */
export const switchAccountReason = 'another_account'
