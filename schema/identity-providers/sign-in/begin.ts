import { z } from 'zod'
import { SignInPurpose } from '../../../prisma/generated/client/enums.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { countAttempt, requireBrowser } from '../../core/attempts/count-attempt.ts'
import type { Context } from '../../core/context.ts'
import { forbidden, notFound } from '../../core/errors.ts'
import { accountSiteOnly } from '../../core/requires.ts'
import { isRecent } from '../../core/team-access/recent-sign-in.ts'
import { isLimitedSession } from '../../core/team-access/session-reach.ts'
import { requirePerson, requireTeamAccess } from '../../core/team-access/team-access.ts'
import { emailAddress, parse, text } from '../../core/validation.ts'
import { ProviderError } from '../protocol.ts'
import type { FailureKind } from '../protocol.ts'
import { bindProtocol } from './protocols.ts'
import { toProviderColumns, findSignInProvider } from './sign-in-provider.ts'
import type { SignInProvider } from './sign-in-provider.ts'
import { recordFailure, SignInFailureType } from './record-failure.ts'
import { beginRequest, buildProtocolRequest } from './requests.ts'

export const SignInPurposeType = builder.enumType('SignInPurpose', {
  description: 'Why a person is sent to an identity provider.',
  values: {
    SIGN_IN: { value: SignInPurpose.sign_in, description: 'To sign in.' },
    CONFIRM: { value: SignInPurpose.confirm, description: 'To confirm a sign-in, by authenticating there again.' },
    LINK: { value: SignInPurpose.link, description: 'To link the account there to that of the signed-in user.' },
    TEST: { value: SignInPurpose.test, description: 'To test the provider, by an owner of its team.' },
  },
})

interface BegunSignIn {
  providerName: string
  teamName: string | null
  isHostTrusted: boolean
  url: string | null
  refusal: string | null
  failure: FailureKind | null
}

const BeginProviderSignInPayload = payloadType<BegunSignIn>('BeginProviderSignInPayload', {
  description: 'Where the browser is sent. For the account site.',
  fields: (t) => ({
    providerName: t.exposeString('providerName', { description: 'The name of the provider.' }),
    teamName: t.exposeString('teamName', { description: 'The name of its team; null for a public provider.', nullable: true }),
    isHostTrusted: t.exposeBoolean('isHostTrusted', {
      description:
        'Whether the browser can be sent there at once. Otherwise a page names the host first: the team has not verified a domain, and nobody who signed in in this browser is known there.',
    }),
    url: t.exposeString('url', { description: 'The URL at the provider; null if it cannot be used.', nullable: true }),
    refusal: t.exposeString('refusal', { description: 'Why the provider cannot be used; otherwise null.', nullable: true }),
    failure: t.expose('failure', { type: SignInFailureType, description: 'What failed; null if nothing did.', nullable: true }),
  }),
})

const BeginProviderSignInInput = builder.inputType('BeginProviderSignInInput', {
  fields: (t) => ({
    provider: t.string({ required: true, description: 'Identifier of the provider of a team, or `google`, `github` or `microsoft`.' }),
    purpose: t.field({ type: SignInPurposeType, required: true, description: 'Why the person is sent there.' }),
    returnTo: t.string({ required: true, description: 'The page of this service to which the user returns.' }),
    loginHint: t.string({ description: 'The email address with which the person will sign in.' }),
    reauthenticates: t.boolean({ description: 'Whether the provider is asked to authenticate a person again who is signed in there.' }),
  }),
})
const rules = z.object({ provider: z.string(), returnTo: text.startsWith('/').max(2000) })

const ownIdentity = statement<object, [userId: string, providerId: string | null, social: string | null]>(
  'own_identity_at_provider',
  `SELECT 1 FROM external_identities WHERE user_id = $1 AND (provider_id = $2::uuid OR social::text = $3::text) LIMIT 1`,
)

builder.mutationField('beginProviderSignIn', (t) =>
  t.field({
    description: 'Sends a browser to an identity provider. For the account site.',
    type: BeginProviderSignInPayload,
    isAudited: false,
    requires: accountSiteOnly,
    args: { input: t.arg({ type: BeginProviderSignInInput, required: true }) },
    async resolve(_, { input }, context) {
      const { provider: key, returnTo } = parse(rules, input)
      const provider = await findSignInProvider(context, key)
      if (!provider) throw notFound()
      const userId = await authorizePurpose(context, provider, { ...input, reauthenticates: input.reauthenticates === true })
      const common = { providerName: provider.name, teamName: provider.team?.teamName ?? null, isHostTrusted: true }
      if (provider.team?.disabledAt) return { ...common, url: null, refusal: disabledMessage, failure: 'person' as const }
      await countSignIn(context, input.purpose)
      const request = await beginRequest(context, provider, { purpose: input.purpose, userId, returnTo })
      const loginHint = emailAddress.safeParse(input.loginHint).data ?? null
      try {
        const plain = buildProtocolRequest({ ...request, purpose: input.purpose, answer: null })
        const forceAuthentication = plain.forceAuthentication || input.reauthenticates === true
        const protocol = await bindProtocol(context, provider)
        const url = await protocol.requestUrl({ ...plain, loginHint, forceAuthentication })
        // A user who confirms, links or tests has signed in there before or is a member of the team.
        const isTrusted = input.purpose !== 'sign_in' || (await isHostTrusted(context, provider))
        return { ...common, isHostTrusted: isTrusted, url, refusal: null, failure: null }
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        return { ...common, url: null, ...(await recordFailure(context, provider, error)) }
      }
    },
  }),
)

/** Counts a sign-in as an attempt of the client address until it succeeds, because anybody can start one, which stores a row. */
async function countSignIn(context: Context, purpose: SignInPurpose): Promise<void> {
  const { address, attemptLimits } = requireBrowser(context)
  if (purpose === 'sign_in') await countAttempt(attemptLimits.signInAddress, address)
}

export const disabledMessage = 'The operator of this service has disabled this identity provider.'

/** Returns the user as whom the request must end; null if anybody may sign in. Throws unless the caller may start it. */
async function authorizePurpose(
  context: Context,
  provider: SignInProvider,
  { purpose, reauthenticates }: { purpose: SignInPurpose; reauthenticates: boolean },
): Promise<string | null> {
  // Without this user, a link of another site could sign a user out of their account and in to that of an attacker.
  if (purpose === 'sign_in') return context.principal?.kind === 'user' && !reauthenticates ? context.principal.user.id : null
  const { user } = requirePerson(context)
  if (purpose === 'confirm') {
    const { providerId, social } = toProviderColumns(provider)
    if ((await ownIdentity(context.database.pool, user.id, providerId, social)).length === 0) throw notFound()
  } else if (purpose === 'link') {
    // A linked identity opens the account later, so a limited session may not link one.
    if (context.principal && isLimitedSession(context.principal)) throw forbidden('own_proof_required')
    if (context.principal && !isRecent(context.principal, context.now())) throw forbidden('recent_sign_in_required')
  } else {
    if (!provider.team) throw notFound()
    const { role } = await requireTeamAccess(context, provider.team.teamSlug)
    if (role !== 'owner') throw forbidden('role_required')
  }
  return user.id
}

const isTrusted = statement<object, [teamId: string, providerId: string, userIds: readonly string[]]>(
  'is_trusted_identity_provider',
  `SELECT 1 FROM team_domains WHERE team_id = $1 AND verified_at IS NOT NULL
   UNION ALL SELECT 1 FROM members WHERE team_id = $1 AND user_id = ANY ($3::uuid[])
   UNION ALL SELECT 1 FROM external_identities WHERE provider_id = $2 AND user_id = ANY ($3::uuid[]) LIMIT 1`,
)

/**
 * Returns true if the browser may be sent to the host of a provider without a page that shows its name. Anybody can create a team and enter
 * any host, so a link to this service would otherwise redirect users of other teams there. Returns true if the team has verified a domain.
 * Also returns true if a user who is or was signed in in this browser is a member of the team or has signed in through the provider.
 */
async function isHostTrusted(context: Context, { team }: SignInProvider): Promise<boolean> {
  if (!team) return true
  const { principal, database } = context
  const userIds = [...requireBrowser(context).findKnownUsers(), ...(principal?.kind === 'user' ? [principal.user.id] : [])]
  return (await isTrusted(database.pool, team.teamId, team.id, userIds)).length > 0
}
