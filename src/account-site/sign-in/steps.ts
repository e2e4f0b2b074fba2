import { returnOf } from '../../web/return-address.ts'
import type { PageContext } from '../framework/page-context.ts'
import { passwordParameter, startAt } from '../providers/paths.ts'
import { providersOfAddress } from '../providers/start.tsx'
import { knownAddress } from './known-address.ts'

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

/** The page that leads to the only provider of the address that a client, or a link, names. */
export async function providerOfHint(ctx: PageContext): Promise<string | undefined> {
  if (ctx.request.method === 'POST' || ctx.query.has(passwordParameter)) return undefined
  const returnTo = returnOf(ctx)
  const loginHint = (await ctx.site.requestingClient(returnTo))?.loginHint || ctx.query.get('login_hint')
  if (!loginHint) return undefined
  const [provider, ...others] = await providersOfAddress(ctx, loginHint)
  return provider && others.length === 0 ? startAt(provider.key, { returnTo, loginHint }) : undefined
}
