import { describe, expect, test } from 'vitest'
import { createOwnedTeam } from '../../support/data/team.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { createTeamClient, executeWith } from '../../support/oauth/clients/team-client.ts'
import { operator, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'

// Names of clients of teams: docs/decisions/clients.md#names.

const service = useService()
const { database } = service
const brand = { brandName: 'Nimbus Ledger' }

const create = `mutation ($team: String!, $name: String!, $publisher: String) { createTeamClient(input: { team: $team, name: $name, publisher: $publisher,
  confidential: false, redirectUris: ["https://app.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] }) { client { name } } }`
const rename = 'mutation ($id: ID!, $name: String!) { updateTeamClient(input: { clientId: $id, name: $name }) { client { name } } }'

async function register(name: string, publisher: string | null = null) {
  const { team, owner } = await createOwnedTeam(database)
  const session = await sessionOf(service, owner)
  const { code, messages } = await executeWith(service, session, create, { team: team.slug, name, publisher }, brand)
  expect([undefined, 'validation_failed']).toContain(code)
  return Object.values(Object(messages)).flat().join(' ')
}

const imitatesService = 'must not imitate the name of this service, Nimbus Ledger.'
const mixesScripts = 'must not mix letters of several scripts.'
const invisible = 'must not contain invisible characters, or characters that change the direction of text.'

describe('the name of a client of a team', () => {
  test.each([
    ['the name of the service', 'Nimbus Ledger', imitatesService],
    ['the name of the service in capitals without a space', 'NIMBUSLEDGER', imitatesService],
    ['the name of the service with more words', 'Nimbus Ledger Support', imitatesService],
    ['the name of the service inside of a word', 'MyNimbusLedgerApp', imitatesService],
    ['the name of the service with digits', 'N1mbu5 L3dger'.replace('3', 'e'), imitatesService],
    ['the name of the service with rn for m', 'Nirnbus Ledger', imitatesService],
    ['the name of the service with accents', 'N\u00edmb\u00fas L\u00e9dger', imitatesService],
    [
      'the name of the service in small capitals',
      '\u0274\u026a\u1d0d\u0299\u1d1c\ua731 \u029f\u1d07\u1d05\u0262\u1d07\u0280',
      imitatesService,
    ],
    ['the name of the service with strokes and hooks', '\u0272imbus \u0141e\u0111ger', imitatesService],
    ['the name of the service in full width', '\uff2e\uff49\uff4d\uff42\uff55\uff53 Ledger', imitatesService],
    ['the name of the service with signs between its letters', 'N.i.m.b.u.s-L_e_d_g_e_r', imitatesService],
    ['a Latin name with a Cyrillic letter', 'Pl\u0430nner', mixesScripts],
    ['a Latin name with a Greek letter', 'Planner \u03a9', mixesScripts],
    ['a Latin name with an Armenian letter', 'C\u0585mpany', mixesScripts],
    ['a Cyrillic name with a Chinese letter', '\u041c\u0438\u0440 \u4e16', mixesScripts],
    ['a zero-width joiner', 'Plan\u200dner', invisible],
    ['a right-to-left override', 'Planner \u202egpj', invisible],
    ['a soft hyphen', 'Plan\u00adner', invisible],
    ['a variation selector', 'Planner\ufe0f', invisible],
    ['a blank Braille pattern', 'Plan\u2800ner', invisible],
  ])('is refused if it has %s', async (_, name, message) => {
    expect(await register(name)).toBe(`The name field ${message}`)
  })

  test.each([
    'Planner',
    'Nimbus',
    'Ledger Export',
    'Workflow',
    'Caf\u00e9 Planner 2',
    '\u041f\u043b\u0430\u043d\u0435\u0440',
    '\u65e5\u672c\u8a9e Planner',
    '\ud504\ub85c Planner',
    '\u65e5\u672c\u306e\u30a2\u30d7\u30ea',
    '\u0645\u062e\u0637\u0637',
    'Planner \u2013 for teams!',
  ])('can be %s', async (name) => {
    expect(await register(name)).toBe('')
  })

  test('of its publisher follows the same rules', async () => {
    expect(await register('Planner', 'Nimbus Ledger GmbH')).toBe(`The publisher field ${imitatesService}`)
    expect(await register('Planner', 'Pl\u0430nner')).toBe(`The publisher field ${mixesScripts}`)
    expect(await register('Planner', 'Acme GmbH')).toBe('')
  })

  test.each([
    ['the same', 'Payroll Hub'],
    ['that in other letters', 'PAYROLL-HUB'],
    ['one with look-alikes', 'Payro11 Hub'],
    ['one with the sign of a trademark', 'Payroll Hub\u2122'],
    ['one in Cyrillic', '\u0420\u0430\u0443r'.replace('r', '\u0433')],
  ])('cannot be that of a listed client of others: %s', async (_, name) => {
    await createClient(database, { name: 'Payroll Hub' })
    await createClient(database, { name: 'Payr' })
    expect(await register(name)).toMatch(/^The name field must not be, or look like, that of another app: Pay/)
  })

  test('of signs alone is compared as it is', async () => {
    await createClient(database, { name: '\u{1f680}' })
    expect(await register('\u{1f389}')).toBe('')
    expect(await register('\u{1f680}')).toMatch('that of another app: \u{1f680}.')
  })

  test('can be that of a client that is not listed, and of another client of the team', async () => {
    const { client, team, session } = await createTeamClient(service, { name: 'Roadmap', state: 'draft' })
    expect(await register('Roadmap')).toBe('')
    await database.prisma.oAuthClient.update({ where: { id: client.id }, data: { state: 'listed' } })
    const again = await executeWith(service, session, create, { team: team.slug, name: 'Roadmap' }, brand)
    expect(again.code).toBeUndefined()
  })

  test('is checked when it changes, and not when something else does', async () => {
    const { client, session } = await createTeamClient(service, { name: 'Nimbus Ledger', state: 'draft' })
    const describe = 'mutation ($id: ID!) { updateTeamClient(input: { clientId: $id, description: "x" }) { client { name } } }'
    expect((await executeWith(service, session, describe, { id: client.clientId }, brand)).code).toBeUndefined()
    expect((await executeWith(service, session, rename, { id: client.clientId, name: 'Nimbus-Ledger' }, brand)).code).toBe(
      'validation_failed',
    )
  })

  test('is checked again by the approval: another one may have been listed since', async () => {
    const { client } = await createTeamClient(service, { name: 'Timesheets', state: 'submitted' })
    await createClient(database, { name: 'Time Sheets' })
    const approve = 'mutation ($id: ID!) { approveClient(input: { clientId: $id }) { client { state } } }'
    const { messages } = await executeWith(service, operator, approve, { id: client.clientId })
    expect(messages).toEqual({ name: ['The name field must not be, or look like, that of another app: Time Sheets.'] })
  })

  test('is not limited for operators', async () => {
    const byOperator =
      'mutation { createClient(input: { name: "Nimbus Ledger", confidential: false, redirectUris: ["https://a.example/cb"], grantTypes: ["authorization_code"], requiredScopes: ["openid"] }) { client { name } } }'
    expect((await executeWith(service, operator, byOperator, {}, brand)).code).toBeUndefined()
  })
})
