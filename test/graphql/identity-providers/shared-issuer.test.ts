import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { requireOwnOrganization } from '../../../schema/identity-providers/sign-in/linking/shared-issuer.ts'
import { findSignInProvider } from '../../../schema/identity-providers/sign-in/sign-in-provider.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createTeam } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

// The issuer of Google is outside of the tests, so the rule is called with what it would state.

const service = useService()
const { prisma } = service.database
const google = 'https://accounts.google.com'

async function refusalOf(issuer: string, claims: Record<string, unknown>, domain: string | null, ownsDomain = true) {
  const team = await createTeam(service.database)
  const other = await createTeam(service.database)
  if (domain !== null)
    await prisma.teamDomain.create({
      data: { teamId: ownsDomain ? team.id : other.id, domain, value: randomUUID(), verifiedAt: service.clock.now() },
    })
  const { id } = await prisma.identityProvider.create({ data: { teamId: team.id, kind: 'oidc', name: 'Google', issuer, clientId: 'c' } })
  const ports = { database: service.database, deriveSecret: secretDeriver(secretKey), socialProviders: {} }
  const provider = await findSignInProvider(ports, id)
  if (!provider) throw new Error('the provider was not found')
  const assertion = { subject: 's', issuer: '', email: null, isEmailVerified: true, name: null, groups: null, claims }
  const admitted = inTransaction(service.database, (transaction) => requireOwnOrganization(transaction, provider, assertion))
  return admitted.then(
    () => null,
    (error: unknown) => String(error),
  )
}

const refused = expect.stringContaining('The claim hd must be a domain that the team has verified')

test.each<[name: string, arguments_: Parameters<typeof refusalOf>, expected: unknown]>([
  ['a person of the organization', [google, { hd: 'own.example' }, 'own.example'], null],
  ['a person of the organization, with a domain in capitals', [google, { hd: 'OWN2.example' }, 'own2.example'], null],
  ['a person without an organization', [google, {}, 'own3.example'], refused],
  ['a person of another organization', [google, { hd: 'foreign.example' }, 'own4.example'], refused],
  ['a person of a domain that another team verified', [google, { hd: 'other.example' }, 'other.example', false], refused],
  ['a claim that is no text', [google, { hd: ['own5.example'] }, 'own5.example'], refused],
  ['an issuer of one organization', ['https://id.own.example', {}, null], null],
])('at an issuer that all share: %s', async (_, parameters, expected) => {
  expect(await refusalOf(...parameters)).toEqual(expected)
})
