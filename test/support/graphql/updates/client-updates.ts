import { unique } from '../../data/team.ts'
import { deviceGrantType } from '../../oauth/device.ts'
import { executeAs, operator } from '../../service/in-process.ts'
import type { ScenarioContext } from '../scenarios/scenario.ts'
import type { FieldOfUpdate, Update, Updates } from './update.ts'

const site = 'https://app.example'

/** A registration without a default in it. */
const registration = {
  confidential: true,
  grantTypes: ['authorization_code', 'refresh_token', deviceGrantType],
  description: 'Plans.',
  redirectUris: [`${site}/cb`],
  requiredScopes: ['openid', 'offline_access'],
  optionalScopes: ['teams'],
  refreshReplaySeconds: 30,
  logoUri: `${site}/logo.svg`,
  clientUri: `${site}/`,
  policyUri: `${site}/privacy`,
  tosUri: `${site}/terms`,
  postLogoutRedirectUris: [`${site}/bye`],
  backchannelLogoutUri: `${site}/logout`,
  idTokenSignedResponseAlg: 'RS256',
  dpopBoundAccessTokens: true,
  requirePushedAuthorizationRequests: true,
  requireKeyAuthentication: true,
  jwksUri: `${site}/keys.json`,
}
// An app of a team may not look like another app.
const uniqueNames = () => ({ name: unique('Planner'), publisher: unique('Example') })
const publicKey = { kty: 'EC', crv: 'P-256', kid: '1', alg: 'ES256', use: 'sig' }
const point = { x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU', y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0' }

const sharedFields = (): Record<string, FieldOfUpdate> => ({
  name: { value: unique('Roadmap') },
  grantTypes: { value: ['authorization_code', 'refresh_token'] },
  description: { value: 'Maps.' },
  redirectUris: { value: [`${site}/other`] },
  requiredScopes: { value: ['openid', 'offline_access', 'profile'] },
  optionalScopes: { value: ['teams', 'email'] },
  refreshReplaySeconds: { value: 60 },
  logoUri: { value: `${site}/other.svg` },
  publisher: { value: unique('Company') },
  clientUri: { value: `${site}/home` },
  policyUri: { value: `${site}/other` },
  tosUri: { value: `${site}/other` },
  postLogoutRedirectUris: { value: [`${site}/other`] },
  backchannelLogoutUri: { value: `${site}/other` },
  idTokenSignedResponseAlg: { value: 'ES256', columns: ['id_token_algorithm'] },
  dpopBoundAccessTokens: { value: false },
  requirePushedAuthorizationRequests: { value: false },
  requireKeyAuthentication: { value: false },
  // A client has one of these two.
  jwks: { value: JSON.stringify({ keys: [{ ...publicKey, ...point }] }), columns: ['jwks', 'jwks_uri'], with: { jwksUri: null } },
  jwksUri: { value: `${site}/other.json` },
})

async function ofClient({ service }: ScenarioContext, mutation: string, input: object): Promise<Pick<Update, 'object' | 'table' | 'row'>> {
  const type = `${mutation.replace(/^c/, 'C')}Input`
  const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { client { clientId } } }`
  const { data, refusal } = await executeAs(service, operator, document, { input: { ...registration, ...uniqueNames(), ...input } })
  if (refusal) throw refusal
  const { clientId } = data[mutation].client
  return { object: { clientId }, table: 'oauth_clients', row: { client_id: clientId } }
}

/** Changes of OAuth clients. */
export const clientUpdates: Updates = {
  updateClient: async (context) => ({
    principal: operator,
    ...(await ofClient(context, 'createClient', { team: 'REQUIRED', verified: true })),
    fields: { ...sharedFields(), team: { value: 'OPTIONAL' }, verified: { value: false } },
  }),
  updateTeamClient: async (context) => {
    const created = await ofClient(context, 'createTeamClient', { team: context.team.slug, teamMode: 'REQUIRED' })
    // Of a listed client, some changes would wait for a review.
    await context.service.database.prisma.oAuthClient.update({
      where: { clientId: created.row['client_id'] ?? '' },
      data: { state: 'draft' },
    })
    return { principal: context.principal, ...created, fields: { ...sharedFields(), teamMode: { value: 'OPTIONAL', columns: ['team'] } } }
  },
}
