import type { OAuthClient } from '../../../prisma/generated/client/client.ts'
import { statement } from '../../../prisma/statement/statement.ts'
import { builder } from '../../builder/builder.ts'
import { enumType } from '../../builder/enum-type.ts'
import { loadBatched } from '../../lists/batch.ts'
import { ClientType } from '../clients/client.ts'

type Sentence = (sent: string, client: OAuthClient) => string

const formatRegistered = (values: readonly string[]) =>
  values.length === 0 ? 'none is registered' : `registered is ${values.join(' or ')}`
const listScopes = ({ requiredScopes, optionalScopes }: OAuthClient) => [...requiredScopes, ...optionalScopes]

/** Causes of refused requests, each with a description and a sentence for the developer that compares the request with the registration. */
const causes = {
  redirect_uri: {
    description: 'The redirect URI is not registered.',
    sentence: (sent, { redirectUris }) => `redirect_uri was ${sent || 'absent'}, ${formatRegistered(redirectUris)}`,
  },
  scope: {
    description: 'A scope is unknown or not registered.',
    sentence: (sent, client) => `scope was ${sent || 'absent'}, registered is ${listScopes(client).join(' ')}`,
  },
  response_type: {
    description: 'The response type is not `code`.',
    sentence: (sent) => `response_type was ${sent || 'absent'}, it must be code`,
  },
  pkce: {
    description: 'PKCE is absent or wrong.',
    sentence: (sent) =>
      `${sent || 'code_challenge was absent'}: each authorization request needs a code_challenge with the method S256, and the token request the code_verifier that belongs to it`,
  },
  grant_type: {
    description: 'The grant type is not registered.',
    sentence: (sent, { grantTypes }) => `grant_type was ${sent || 'absent'}, registered is ${grantTypes.join(' or ')}`,
  },
  client_authentication: {
    description: 'The client did not authenticate.',
    sentence: (sent, { confidential }) =>
      `client authentication failed${sent && `: ${sent}`}. ${
        confidential
          ? 'Send the secret by HTTP Basic, or an assertion that is signed with a registered key'
          : 'The app is public: send client_id in the form, and no secret'
      }`,
  },
  code: {
    description: 'The authorization code or device code was wrong, expired or used before.',
    sentence: () => 'the code was wrong, expired, used before, or issued to another app: exchange it once, within a minute',
  },
  assertion: {
    description: 'The assertion of an identity provider was not accepted.',
    sentence: (sent) => sent || 'the assertion was not accepted',
  },
  refresh_token: {
    description: 'The refresh token was wrong, expired, replaced or revoked.',
    sentence: () => 'the refresh token was wrong, expired, revoked or replaced by a newer one: store the newest one',
  },
  not_a_member: {
    description: 'The client is not listed, and the user is not a member of its team.',
    sentence: () => 'someone outside the team tried to connect the app, which is not published yet',
  },
  par_required: {
    description: 'The authorization request was not pushed.',
    sentence: () => 'the authorization request was not pushed first (RFC 9126), as the app requires',
  },
  dpop: {
    description: 'The DPoP proof was absent or wrong.',
    sentence: (sent) => `the DPoP proof was ${sent || 'absent or wrong'} (RFC 9449)`,
  },
  other: {
    description: 'Any other cause.',
    sentence: (sent) => sent || 'the request was invalid',
  },
} satisfies Record<string, { description: string; sentence: Sentence }>

export type FailureCause = keyof typeof causes

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of the object
const names = Object.keys(causes) as FailureCause[]
/** The causes with their descriptions. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each name
const failureCauses = Object.fromEntries(names.map((name) => [name, causes[name].description])) as Record<FailureCause, string>

const isFailureCause = (cause: string): cause is FailureCause => Object.hasOwn(causes, cause)

/** Returns a sentence about the error for the developer of the client. */
const describeFailure = (cause: FailureCause, sent: string, client: OAuthClient): string => {
  const { sentence }: { sentence: Sentence } = causes[cause]
  return sentence(sent, client)
}

/** Refused requests of a client with the same cause and value, in the last 7 days. */
interface Failure {
  cause: FailureCause
  sent: string
  count: number
  lastAt: string
  sentence: string
}

const CauseType = enumType<FailureCause>('AuthorizationFailureCause', 'Why a request of an OAuth client was refused.', failureCauses)

const FailureType = builder.objectRef<Failure>('AuthorizationFailure').implement({
  description: 'Requests of a client that were refused for one reason in the last 7 days. They contain no data of users.',
  fields: (t) => ({
    cause: t.expose('cause', { type: CauseType, description: 'The cause.' }),
    message: t.exposeString('sentence', { description: 'What was wrong, in a sentence for the developer of the client.' }),
    sent: t.exposeString('sent', { description: 'What the client sent, as far as it explains the cause. Can be empty.' }),
    count: t.exposeInt('count', { description: 'How many there were.' }),
    lastAt: t.expose('lastAt', { type: 'DateTime', description: 'When the last one was.' }),
  }),
})

const failuresOfClients = statement<
  Omit<Failure, 'cause' | 'sentence'> & { clientId: string; cause: string },
  [ids: readonly string[], now: Date]
>(
  'failures_of_clients',
  `SELECT i.id AS "clientId", f.* FROM unnest($1::uuid[]) AS i(id) CROSS JOIN LATERAL (
     SELECT cause, sent, sum(count)::int AS count, max(last_at) AS "lastAt" FROM authorization_failures
     WHERE oauth_client_id = i.id AND last_at > $2::timestamptz - interval '7 days' GROUP BY cause, sent
     ORDER BY max(last_at) DESC, cause, sent LIMIT 100) f
   ORDER BY i.id, f."lastAt" DESC, f.cause, f.sent`,
)

builder.objectField(ClientType, 'failures', (t) =>
  t.field({
    description: 'The requests of the client that were refused in the last 7 days, by cause, latest first.',
    type: [FailureType],
    complexity: { field: 1, multiplier: 20 },
    resolve: async (client, _, context) => {
      const load = async (ids: string[]) =>
        Map.groupBy(await failuresOfClients(context.database.pool, ids, context.now()), ({ clientId }) => clientId)
      const rows = (await loadBatched(context, 'failures of clients', client.id, load)) ?? []
      return rows.flatMap((row) => {
        const { cause, sent } = row
        return isFailureCause(cause) ? [{ ...row, cause, sentence: describeFailure(cause, sent, client) }] : []
      })
    },
  }),
)
