import { beforeAll, expect, test } from 'vitest'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { createInvoice } from '../../support/data/invoices/invoice.ts'
import { createTeam, createUser, join, personalToken, unique } from '../../support/data/team.ts'
import { createStaff, staffToken } from '../../support/graphql/staff/staff.ts'
import { graphql } from '../../support/http/graphql.ts'
import { createClient } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
let token: string
let team: Team
let user: User
beforeAll(async () => {
  token = await staffToken(database, await createStaff(database, { name: 'Staff' }))
  team = await createTeam(database, { slug: 'northwind-traders', name: 'Northwind Traders' })
  user = await createUser(database, { name: 'Ada O’Brien-Lovelace', email: 'ada.lovelace-1@mail.example.test' })
  await join(database, team, user, 'owner')
})

const document = 'query ($text: String!) { staff { search(text: $text) { kind key name detail teamSlug userId } } }'
const find = async (text: string) => {
  const { data, errors } = await graphql(service, token, document, { text })
  return errors[0] ?? data.staff.search
}
const userResult = () => ({ kind: 'USER', key: user.id, name: user.name, detail: user.email, teamSlug: null, userId: user.id })
const teamResult = () => ({
  kind: 'TEAM',
  key: team.slug,
  name: team.name,
  detail: team.slug,
  teamSlug: team.slug,
  userId: null,
})

test.each(['ada lovelace', 'LOVEL', 'O’Brien', 'ada.lovelace-1@mail.example.test', 'lovelace-1@mail', '  Ada  '])(
  'finds a user by the beginnings of words of the name or the address: %j',
  async (text) => expect(await find(text)).toEqual([userResult()]),
)

test.each(['north', 'Traders', 'northwind-tr'])('finds a team by words of its name or slug: %j', async (text) =>
  expect(await find(text)).toEqual([teamResult()]),
)

test('finds a client by words of its name, its publisher or its identifier', async () => {
  const { clientId } = await createClient(database, { name: 'Zebra Reports', publisher: 'Quagga Ltd' })
  for (const text of ['zebra', 'quagga', clientId]) expect(await find(text)).toMatchObject([{ kind: 'CLIENT', key: clientId }])
})

test('finds objects by their identifiers, an invoice by its number and a token by its hint', async () => {
  const number = unique('INV')
  const invoice = await createInvoice(database, team, { number })
  const value = await personalToken(database, user)
  const row = await database.prisma.accessToken.findFirstOrThrow({ where: { userId: user.id } })
  const entry = await database.prisma.auditEntry.create({
    data: {
      at: service.clock.now(),
      action: 'updateTeam',
      actorKind: 'user',
      actorName: 'Ada',
      authenticationMethod: 'session',
      subject: team.slug,
      teamId: team.id,
      requestId: 'r',
    },
  })
  expect(await find(user.id)).toEqual([userResult()])
  expect(await find(team.id)).toEqual([teamResult()])
  for (const text of [number, invoice.id])
    expect(await find(text)).toEqual([
      { kind: 'INVOICE', key: invoice.id, name: number, detail: team.name, teamSlug: team.slug, userId: null },
    ])
  const tokenResult = { kind: 'TOKEN', key: row.id, name: row.name, detail: `…${row.lastFour}`, teamSlug: null, userId: user.id }
  for (const text of [row.id, `…${row.lastFour}`, `pat_…${row.lastFour}`, value]) expect(await find(text)).toEqual([tokenResult])
  expect(await find(entry.id)).toEqual([
    { kind: 'AUDIT_ENTRY', key: entry.id, name: 'updateTeam', detail: 'Ada', teamSlug: team.slug, userId: null },
  ])
})

test('takes only whole hints for those of a token, and no other words that end like one', async () => {
  await personalToken(database, user)
  const row = await database.prisma.accessToken.findFirstOrThrow({ where: { userId: user.id } })
  expect(await find(`word${row.lastFour}`)).toEqual([])
  expect(await find(String(row.lastFour))).toContainEqual(expect.objectContaining({ kind: 'TOKEN', key: row.id }))
})

test('returns nothing for words that nothing has, and for operators of the text search', async () => {
  for (const text of ['nobody', `'`, `'' | ''`, '!!', ':*', 'ada & !lovelace', '\\', "\\' ada", '--'])
    expect(await find(text)).toEqual(expect.not.arrayContaining([teamResult()]))
  expect(await find('ada nobody')).toEqual([])
})

test('refuses a text that is too short or too long', async () => {
  expect(await find('a')).toMatchObject({ extensions: { code: 'validation_failed' } })
  expect(await find('a'.repeat(256))).toMatchObject({ extensions: { code: 'validation_failed' } })
})

test('never writes the value of a token to the audit log', async () => {
  const value = await personalToken(database, user)
  await find(value)
  const entries = await database.prisma.auditEntry.findMany({ where: { action: 'readAsStaff' } })
  expect(entries.length).toBeGreaterThan(0)
  expect(JSON.stringify(entries)).not.toContain(value)
})
