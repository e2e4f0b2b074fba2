import { expect, test } from 'vitest'
import { displayName } from '../../../schema/core/validation.ts'
import { createOwnedTeam, personalToken } from '../../support/data/team.ts'
import { request } from '../../support/http/request.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

const visible = 'The name field must contain a visible character.'
const oneLine = 'The name field must not contain line breaks or control characters.'
const refused: [name: string, message: string][] = [
  ['\u200b\u2060', visible],
  ['\u3164', visible],
  ['\u00ad \u{e0041}', visible],
  ['\u2800', visible],
  ['a\nb', oneLine],
  ['a\r\nb', oneLine],
  ['a\tb', oneLine],
  ['a\u0007b', oneLine],
  ['a\u0085b', oneLine],
  ['a\u2028b', oneLine],
]

test.each(refused)('the name %j is refused', (name, message) => {
  const issues = displayName.safeParse(name).error?.issues.map((issue) => issue.message.replace(':attribute', 'name'))
  expect(issues).toEqual([message])
})

// Letters with marks and joiners, a family of emoji, and right-to-left text contain invisible characters and show something.
test.each(['Zoë', '  Ada  ', '👨‍👩‍👧', 'क्‍ष', 'עברית\u200f (Ltd)', '·'])('the name %j is accepted', (name) => {
  expect(displayName.parse(name)).toBe(name.trim())
})

const expiresAt = () => new Date(service.clock.now().getTime() + 86_400_000).toISOString()

test.each(refused.slice(0, 5))('every mutation that sets a name refuses %j at that field', async (name, message) => {
  const { team, owner } = await createOwnedTeam(database)
  const session = await sessionOf(service, owner)
  const token = { name, scopes: ['teams'], expiresAt: expiresAt() }
  const client = {
    name,
    confidential: true,
    grantTypes: ['client_credentials'],
    requiredScopes: [],
    optionalScopes: [],
    redirectUris: [],
    team: 'NONE',
  }
  const email = 'new@example.test'
  const mutations: [string, string, object, typeof session | typeof operator][] = [
    ['createTeam', 'CreateTeamInput', { slug: 'new-team', name }, session],
    ['updateTeam', 'UpdateTeamInput', { team: team.slug, name }, session],
    ['updateProfile', 'UpdateProfileInput', { name }, session],
    ['createPersonalToken', 'CreatePersonalTokenInput', token, session],
    ['createTeamToken', 'CreateTeamTokenInput', { ...token, team: team.slug }, session],
    ['createUser', 'CreateUserInput', { email, name }, operator],
    ['createClient', 'CreateClientInput', client, operator],
  ]
  for (const [mutation, type, input, principal] of mutations) {
    const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`
    const { refusal } = await executeAs(service, principal, document, { input })
    expect([mutation, refusal?.code, refusal?.details.errors?.['name']]).toEqual([mutation, 'validation_failed', [message]])
  }
})

test('REST refuses a name that shows nothing with 422 and changes nothing', async () => {
  const { team, owner } = await createOwnedTeam(database)
  const token = await personalToken(database, owner, { scopes: ['acct:team:write'] })
  const { status, body } = await request(service, 'PATCH', `/api/v1/teams/${team.slug}`, { token, body: { name: '\u3164' } })
  expect([status, body.errors]).toEqual([422, { name: [visible] }])
  expect(await database.prisma.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ name: team.name })
})
