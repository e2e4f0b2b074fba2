import { normalizeEmail } from '../../../schema/core/validation.ts'
import { returnOf } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'
import { passwordParameter, startAt } from '../providers/paths.ts'
import { providersOfAddress } from '../providers/start.tsx'
import { knownAddress } from './known-address.ts'
import { findRequestingClient } from './requesting-client.ts'

interface SignInStep {
  /** `address`: the page asks for the address alone. `known_address`: it was entered on the page before. */
  step: 'address' | 'known_address' | 'both'
  email: string
  /** Those of the team that verified the domain of the entered address. */
  providers: readonly { key: string; name: string }[]
}

/** Returns what the sign-in page asks for: the address first if a team has an identity provider, otherwise address and password at once. */
export async function stepOf(ctx: PageContext, asksForAddress: boolean, loginHint: string | undefined): Promise<SignInStep> {
  const hint = loginHint || ctx.query.get('login_hint')
  const email = hint || (await knownAddress(ctx))
  if (!asksForAddress || ctx.query.has(passwordParameter)) return { step: 'both', email, providers: [] }
  const { refused } = ctx
  // A password that was refused is asked for again.
  const isEntered = refused?.name === 'sign-in' || (refused?.name === 'address' && refused.error === null)
  const entered = isEntered ? refused.values['email'] : hint
  if (typeof entered !== 'string' || entered.trim() === '') return { step: 'address', email, providers: [] }
  return { step: 'known_address', email: entered.trim(), providers: await providersOfAddress(ctx, entered) }
}

/**
 * The page that leads to the only provider of the address that a client, or a link, names. To a user who is signed in only if it is their own
 * address: others choose the provider on the page, because a link of an attacker could name the address of the attacker.
 */
export async function providerOfHint(ctx: PageContext): Promise<string | undefined> {
  const { request, query, person } = ctx
  if (request.method === 'POST' || query.has(passwordParameter)) return undefined
  const loginHint = (await findRequestingClient(ctx))?.loginHint || query.get('login_hint')
  if (!loginHint || (person && normalizeEmail(loginHint) !== person.user.email)) return undefined
  const [provider, ...others] = await providersOfAddress(ctx, loginHint)
  return provider && others.length === 0 ? startAt(provider.key, { returnTo: returnOf(ctx), loginHint }) : undefined
}
