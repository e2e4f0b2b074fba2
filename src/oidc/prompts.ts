import { decodeJwt } from 'jose'
import { errors, interactionPolicy } from 'oidc-provider'
import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import type { Database } from '../../prisma/client.ts'
import { grantsTo } from './storage/live-grants.ts'

const anotherAccountHinted = 'the hint is of another account'

/** When people are asked: to sign in, and to consent to what was not decided yet. */
export function promptPolicy(now: () => Date) {
  const policy = interactionPolicy.base()
  // From when on signing in counts: to the millisecond, since what asks for it may follow at once.
  Object.assign(policy.get('login') ?? {}, { details: () => ({ since: now().getTime() }) })
  // A session outlives the account it was made for, disabled or deleted meanwhile.
  policy
    .get('login')
    ?.checks.add(
      new interactionPolicy.Check(
        'account_gone',
        'the account of the session is gone',
        'login_required',
        ({ oidc }) => oidc.session?.accountId !== undefined && !oidc.account,
      ),
    )
  // oidc-provider looks at the hint before anybody signs in, and no more after. Who is signed in is asked for the account
  // that is hinted at; where somebody else signs in then, the client is told (OpenID Connect Core §3.1.2.1).
  policy.get('login')?.checks.add(
    new interactionPolicy.Check('hinted_account', anotherAccountHinted, 'login_required', ({ oidc }) => {
      const { id_token_hint: hint } = oidc.params ?? {}
      const isAnother = typeof hint === 'string' && oidc.session?.accountId !== undefined && decodeJwt(hint).sub !== oidc.session.accountId
      if (isAnother && oidc.result?.login) throw new errors.LoginRequired(anotherAccountHinted)
      return isAnother
    }),
  )
  // What is decided is not asked again, native client or not (decisions §8).
  policy.get('consent')?.checks.remove('native_client_prompt')
  policy.add(selectAccount(), 1)
  return policy
}

/** The consent page says who is signed in and offers another account; whoever just signed in has chosen theirs. */
function selectAccount() {
  const isAsked = ({ oidc }: KoaContextWithOIDC) => oidc.prompts.has('select_account') && !oidc.result?.login && !oidc.result?.consent
  const check = new interactionPolicy.Check('account_selection', 'the person is to choose an account', isAsked)
  const prompt = new interactionPolicy.Prompt({ name: 'select_account', requestable: true }, check)
  // oidc-provider's own waits for a result of this very name.
  prompt.checks.remove('select_account_prompt')
  return prompt
}

/**
 * The grant an authorization goes on with: the one just decided; else, where no team can be chosen, the one there is.
 * Where one can, each authorization chooses anew, for one client may hold a grant for every team; only `prompt=none`
 * goes on with the grant last used in this session, or with the one there is.
 */
export const existingGrant =
  (database: Database, now: () => Date) =>
  async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { provider, result, client, session, account } = ctx.oidc
    const find = async (id: string | undefined) => (id === undefined ? undefined : provider.Grant.find(id))
    if (result?.consent?.grantId) return find(result.consent.grantId)
    if (!client || !account) return undefined
    if (client.team !== 'none' && !ctx.oidc.prompts.has('none')) return undefined
    const grants = await grantsTo(database, account.accountId, client.clientId, now())
    if (client.team === 'none') return find(grants.find(({ teamId }) => teamId === null)?.id)
    const last = session?.grantIdFor(client.clientId)
    // A session that went on with one grant never changes over to another by itself: it may be of another team.
    const one = last === undefined ? grants.length === 1 && grants[0] : grants.find(({ id }) => id === last)
    return find(one ? one.id : undefined)
  }

/**
 * Puts right what oidc-provider leaves of `scope`, unknown ones taken out; refuses a request in which nothing is left
 * (RFC 6749 §3.3), which it would have the person sign in for. An extra check of the parameter runs after its own.
 */
export function checkScope(ctx: KoaContextWithOIDC): void {
  keepOfflineAccess(ctx)
  if (!ctx.oidc.params?.['scope']) throw new errors.CustomOIDCProviderError('invalid_scope', 'no scope is requested that can be granted')
}

/**
 * Puts back `offline_access`, which oidc-provider takes out of a request without `prompt=consent`: the documented flow
 * sends no prompt and still gives a refresh token (decisions §8).
 */
function keepOfflineAccess(ctx: KoaContextWithOIDC): void {
  const { params, client, body, entities } = ctx.oidc
  const pushed = entities.PushedAuthorizationRequest?.request
  const asked = pushed === undefined ? (body?.['scope'] ?? ctx.query['scope']) : decodeJwt(pushed)['scope']
  if (!params || !client || !asksOffline(asked) || asksOffline(params['scope']) || !client.grantTypeAllowed('refresh_token')) return
  if (!asksOffline(client.scope)) throw new errors.InvalidScope('requested scope is not allowed', 'offline_access')
  params['scope'] = [params['scope'], 'offline_access'].filter(Boolean).join(' ')
}

const asksOffline = (scope: unknown) => typeof scope === 'string' && scope.split(' ').includes('offline_access')
