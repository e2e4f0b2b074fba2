import { decodeJwt } from 'jose'
import { errors, interactionPolicy } from 'oidc-provider'
import type { Grant, KoaContextWithOIDC } from 'oidc-provider'
import { z } from 'zod'
import type { Database } from '../../../prisma/connection/database.ts'
import { isOnDevice } from '../../../schema/core/outgoing/url-rules.ts'
import { describeDevice } from './device-internals.ts'
import { requestedScope } from './provider-internals.ts'
import { isDraftOfOthers } from '../storage/draft.ts'
import type { SignInClock } from '../../../schema/core/team-access/required-sign-in.ts'
import { findContinuedGrant, findLiveGrants } from '../storage/live-grants.ts'
import { refuseTryByOthers, buildTryUri } from '../storage/try-app.ts'
import { findSessionTeams, isSessionEnded, lacksSecondFactor } from '../storage/session-queries.ts'
import { hasTeamChoice } from '../storage/user-teams.ts'

const hintMismatch = 'the hint is of another account'

/** Reason of a login prompt for a session that lacks the second factor of its user. */
export const secondFactorReason = 'second_factor'

/** Reason of a login prompt for a session that an owner of a team has ended there. */
export const endedSessionReason = 'ended_session'

/** Reason of a login prompt for a session that reaches only some teams, at a client whose grants have no team. */
export const ownProofReason = 'own_proof'

/** Creates the policy that decides when users must sign in, choose an account or consent. */
export function createInteractionPolicy(database: Database, authUrl: string, now: () => Date) {
  const tryUri = buildTryUri(authUrl)
  const policy = interactionPolicy.base()
  const login = policy.get('login')
  const consent = policy.get('consent')
  if (!login || !consent) throw new Error('the default policy of oidc-provider has no prompt login or consent')
  // Earlier sign-ins do not count. The time is in milliseconds, because the sign-in can follow within the same second.
  login.details = () => ({ since: now().getTime() })
  // A session can outlast its account, which may have been disabled or deleted.
  login.checks.add(
    new interactionPolicy.Check(
      'account_gone',
      'the account of the session is gone',
      'login_required',
      ({ oidc }) => oidc.session?.accountId !== undefined && !oidc.account,
    ),
  )
  // A grant outlives the session, and its tokens are not checked for a second factor, so the session that creates it must have one.
  login.checks.add(
    new interactionPolicy.Check(
      secondFactorReason,
      'the session has not proved the second factor of the account',
      'login_required',
      ({ oidc: { session } }) => session?.accountId !== undefined && lacksSecondFactor(database, session.uid),
    ),
  )
  // A grant outlives the session, too, and it can reach the team whose owner ended the session.
  login.checks.add(
    new interactionPolicy.Check(
      endedSessionReason,
      'the user has to sign in again',
      'login_required',
      ({ oidc: { session } }) => session?.accountId !== undefined && isSessionEnded(database, session.uid),
    ),
  )
  // The client would get a grant of the whole account. If a grant has a team, the consent page offers the teams that the session reaches.
  login.checks.add(
    new interactionPolicy.Check(
      ownProofReason,
      'the user has not proved the account in the session',
      'login_required',
      async ({ oidc: { session, client } }) =>
        session?.accountId !== undefined && client?.team === 'none' && (await findSessionTeams(database, session.uid)) !== null,
    ),
  )
  // oidc-provider checks the hint only before the sign-in. This service prompts for the account of the hint. If the user signs in with
  // another one, the client receives an error (OpenID Connect Core §3.1.2.1).
  login.checks.add(
    new interactionPolicy.Check('hinted_account', hintMismatch, 'login_required', ({ oidc }) => {
      const { id_token_hint: hint } = oidc.params ?? {}
      const isAnother = typeof hint === 'string' && oidc.session?.accountId !== undefined && decodeJwt(hint).sub !== oidc.session.accountId
      if (isAnother && oidc.result?.login) throw new errors.LoginRequired(hintMismatch)
      return isAnother
    }),
  )
  // Other apps on the device can impersonate a public client that receives its codes there, so the user always sees a page (RFC 8252 §8.6).
  // This replaces the check of oidc-provider, which concerns the registered type and has another error.
  consent.checks.remove('native_client_prompt')
  consent.checks.add(
    new interactionPolicy.Check('native_client', 'the client cannot prove its identity', 'consent_required', ({ oidc }) => {
      const { redirect_uri: uri } = oidc.params ?? {}
      return oidc.client?.clientAuthMethod === 'none' && typeof uri === 'string' && isOnDevice(uri) && !oidc.result?.consent
    }),
  )
  // The user confirms the code of the device on the consent page (RFC 8628 §5.4), also if nothing else has to be decided.
  consent.checks.add(
    new interactionPolicy.Check(
      'device',
      'the user has not confirmed the code of the device',
      'consent_required',
      ({ oidc }) => oidc.deviceCode !== undefined && !oidc.result?.consent,
    ),
  )
  // This is the first check of its prompt, so that a client gets this error with prompt=none. Otherwise the page shows it to the user.
  consent.checks.add(
    new interactionPolicy.Check(
      'not_published',
      'the client is not published, and the user is not a member of its team',
      'access_denied',
      ({ oidc }) => oidc.session?.accountId !== undefined && isDraftOfOthers(database, oidc),
    ),
    0,
  )
  consent.checks.add(
    new interactionPolicy.Check('try_by_others', 'the user is not a member of the team of the client', 'access_denied', ({ oidc }) =>
      refuseTryByOthers(database, tryUri, oidc),
    ),
    1,
  )
  policy.add(selectAccount(), 1)
  for (const prompt of policy) {
    const { details } = prompt
    prompt.details = async (ctx) => ({ ...(await details(ctx)), ...describeDevice(ctx) })
  }
  return policy
}

/** `prompt=select_account`: the consent page shows the account and offers another. A sign-in that just took place counts as a choice. */
function selectAccount() {
  const isRequired = ({ oidc }: KoaContextWithOIDC) => oidc.prompts.has('select_account') && !oidc.result?.login && !oidc.result?.consent
  const check = new interactionPolicy.Check('account_selection', 'the user has to choose an account', isRequired)
  const prompt = new interactionPolicy.Prompt({ name: 'select_account', requestable: true }, check)
  // oidc-provider adds a check to a requestable prompt that expects a result named `select_account`.
  prompt.checks.remove('select_account_prompt')
  return prompt
}

const declinedScopes = z.array(z.string()).catch([])

/**
 * Finds the grant with which an authorization request continues: the one that was just decided or, if no other team can be meant, the
 * existing one. Otherwise, each authorization selects a team, because a client can have a grant for each (docs/decisions/oauth.md#teams).
 * Only `prompt=none` continues with the grant last used in this session, or the only one.
 */
export const createLoadExistingGrant =
  ({ database, ...clock }: { database: Database } & SignInClock) =>
  async (ctx: KoaContextWithOIDC): Promise<Grant | undefined> => {
    const { provider, result, client, session, account } = ctx.oidc
    const find = async (id: string | undefined) => (id === undefined ? undefined : provider.Grant.find(id))
    if (result?.consent) {
      const grant = await find(result.consent.grantId)
      // Meanwhile, a decision in another tab may have granted a scope that was declined here.
      const declined = declinedScopes.parse(result.consent['declined'])
      grant?.rejectOIDCScope(declined)
      for (const resource of Object.keys(ctx.oidc.resourceServers ?? {})) grant?.rejectResourceScope(resource, declined)
      return grant
    }
    if (!client || !account) return undefined
    const isSilent = ctx.oidc.prompts.has('none')
    if (!isSilent && (await hasTeamChoice(database, client, account.accountId, clock.now()))) return undefined
    const reached = session ? await findSessionTeams(database, session.uid) : []
    const isReached = ({ teamId }: { teamId: string | null }) => reached === null || (teamId !== null && reached.includes(teamId))
    const grants = (await findLiveGrants(database, account.accountId, client.clientId, clock)).filter(isReached)
    if (client.team === 'none') return find(grants.find(({ teamId }) => teamId === null)?.id)
    // The client may have had another registration when it got a grant for all teams.
    const possible = grants.filter(({ teamId }) => teamId !== null || client.team === 'optional')
    return find(findContinuedGrant(possible, session?.authorizations?.[client.clientId]?.grantId)?.id)
  }

/**
 * Corrects the `scope` parameter after oidc-provider has removed unknown scopes, which it does not do in a request with `resource`. Refuses
 * a request without a known scope (RFC 6749 §3.3), for which the user would sign in in vain. It is the check of an extra parameter, because
 * those run after oidc-provider's own.
 */
export function checkScope(ctx: KoaContextWithOIDC): void {
  const { params, requestParamOIDCScopes } = ctx.oidc
  if (params) params['scope'] = [...requestParamOIDCScopes].join(' ')
  keepOfflineAccess(ctx)
  if (!ctx.oidc.params?.['scope']) throw new errors.CustomOIDCProviderError('invalid_scope', 'no scope is requested that can be granted')
}

/**
 * Adds `offline_access` again, which oidc-provider removes from requests without `prompt=consent`. The documented flow sends no prompt and
 * gets a refresh token (docs/decisions/oauth.md#scopes-and-consent).
 */
function keepOfflineAccess(ctx: KoaContextWithOIDC): void {
  const { params, client } = ctx.oidc
  if (!params || !client || hasOfflineAccess(params['scope']) || !hasOfflineAccess(requestedScope(ctx))) return
  if (!client.grantTypeAllowed('refresh_token')) return
  if (!hasOfflineAccess(client.scope)) throw new errors.InvalidScope('requested scope is not allowed', 'offline_access')
  params['scope'] = [params['scope'], 'offline_access'].filter(Boolean).join(' ')
}

/** Refuses a repeated value, because oidc-provider reads `code code` as `code`. */
export function checkResponseType({ oidc: { body }, query }: KoaContextWithOIDC): void {
  const value: unknown = body?.['response_type'] ?? query['response_type']
  if (typeof value === 'string' && value.includes(' ')) throw new errors.UnsupportedResponseType()
}

const hasOfflineAccess = (scope: unknown) => typeof scope === 'string' && scope.split(' ').includes('offline_access')
