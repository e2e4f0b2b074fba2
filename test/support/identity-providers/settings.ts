import { createOwnedTeam } from '../data/team.ts'
import { sessionOf } from '../service/in-process.ts'
import type { TestService } from '../service/service.ts'
import { createIssuer } from './issuer.ts'

// What tests of the settings of identity providers share.

export const fields =
  'providerId kind name issuer clientId hasClientSecret groupsClaim jitRole redirectUri acsUrl entityId linkedUsers testedAt disabledAt certificates { subject }'
export const update = `mutation ($input: UpdateIdentityProviderInput!) { updateIdentityProvider(input: $input) { identityProvider { ${fields} } } }`
export const remove = 'mutation ($id: ID!) { deleteIdentityProvider(input: { id: $id }) { identityProvider { name } } }'
export const listed = `query ($team: String!) { team(slug: $team) { signInUrl identityProviders { id ${fields} } } }`

/** Creates a team with a signed-in owner, and the issuer of an OpenID provider. */
export async function createScene(service: TestService) {
  const { team, owner } = await createOwnedTeam(service.database)
  return { team, owner, session: await sessionOf(service, owner), issuer: await createIssuer() }
}
