import type { Request, Response } from 'express'
import { errors } from 'oidc-provider'
import type { Provider } from 'oidc-provider'
import type { VNode } from 'preact'
import { pageHeaders } from '../../account-site/headers.ts'
import { renderPage } from '../../account-site/page.tsx'
import type { Database } from '../../../prisma/client.ts'
import { findClient } from '../storage/client.ts'
import type { Client } from '../storage/client.ts'
import { interactionPath } from '../endpoints.ts'

export type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>

/** A request about an interaction, by the browser in which it began. */
export interface Asked {
  provider: Provider
  interaction: Interaction
  /** The client that asks the person. */
  client: Client
  request: Request
  response: Response
}

/** A form that no page of ours was sent for, or not to this person. */
export class Refused extends Error {}

/** Throws `SessionNotFound` for an interaction that is unknown, over, or another browser's, and where its client is gone. */
export async function findAsked(provider: Provider, { pool }: Database, now: Date, request: Request, response: Response): Promise<Asked> {
  await forgetWhoWas(provider, request, response)
  const interaction = await provider.interactionDetails(request, response)
  if (interaction.uid !== request.params['uid']) throw new errors.SessionNotFound('the interaction is another one')
  const client = await findClient(pool, String(interaction.params['client_id']), now)
  if (!client) throw new errors.SessionNotFound('the client is gone')
  const uri = redirectUri(interaction)
  const isLed = uri === null || (await provider.Client.find(client.clientId))?.redirectUriAllowed(uri)
  if (!isLed) throw new errors.SessionNotFound('the redirect URI is no longer registered')
  return { provider, interaction, client, request, response }
}

/**
 * An interaction is bound to the session in which it began. Where it asks who the person is, that is still to be said:
 * the session in which they say it counts, and the earlier one may have ended by that.
 */
async function forgetWhoWas(provider: Provider, request: Request, response: Response): Promise<void> {
  const { cookies } = (provider as unknown as WithContext).createContext(request, response)
  const id = cookies.get('interaction', { signed: true })
  const interaction = id === undefined ? undefined : await provider.Interaction.find(id)
  if (interaction?.prompt.name !== 'login' || !interaction.session) return
  interaction.session = undefined
  await interaction.persist()
}

/** What its types leave out. */
interface WithContext {
  createContext(request: Request, response: Response): { cookies: { get(name: string, options: { signed: true }): string | undefined } }
}

/** Where the interaction is shown. */
export const pathOf = ({ uid }: Interaction) => `${interactionPath}/${uid}`

/** Where one of its forms is sent. */
export const stepPath = (interaction: Interaction, step: 'switch' | 'consent') => `${pathOf(interaction)}/${step}`

/** Where the browser goes at last; null for a device, whose browser stays. */
export function redirectUri({ params }: Interaction): string | null {
  const { redirect_uri: uri } = params
  return typeof uri === 'string' ? uri : null
}

/** Sends a page of the interaction, whose forms lead to the client in the end. */
export function show({ interaction, response }: Asked, page: VNode, status = 200): void {
  const uri = redirectUri(interaction)
  response
    .status(status)
    .set(pageHeaders(...(uri === null ? [] : [uri])))
    .type('html')
    .send(renderPage(page))
}

/** The reason to sign in that the person gave: somebody else is to. */
export const anotherAccount = 'another_account'

/** The hint of the client about who signs in; none where somebody else is to. */
function loginHint({ prompt, params }: Interaction): string {
  const { login_hint: hint } = params
  return typeof hint === 'string' && !prompt.reasons.includes(anotherAccount) ? hint : ''
}

/** The client that asks a person to sign in, by the path of the interaction; null for any other path. */
export async function whoAsks(provider: Provider, { pool }: Database, path: string, now: Date) {
  const uid = path.startsWith(`${interactionPath}/`) ? path.slice(interactionPath.length + 1) : ''
  const interaction = uid === '' ? undefined : await provider.Interaction.find(uid)
  const client = interaction && (await findClient(pool, String(interaction.params['client_id']), now))
  return client ? { clientName: client.name, loginHint: loginHint(interaction), redirectUri: redirectUri(interaction) } : null
}
