import { expect, test } from 'vitest'
import type { Prisma } from '../../../prisma/generated/client/client.ts'
import { inTeam, rowsOf } from '../../support/account-site/team.ts'
import { createUser, join, teamToken } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service

/** Stores an entry that a user wrote, and returns the row of the page. */
async function rowOf(entry: Pick<Prisma.AuditEntryCreateManyInput, 'action' | 'subjectName' | 'before' | 'after'>, actorName: string) {
  const { browser, team } = await inTeam(service, 'owner', '')
  const actor = { actorKind: 'user', actorName, authenticationMethod: 'session' }
  const common = { at: service.clock.now(), teamId: team.id, subject: 'x', requestId: 'x', ...actor }
  await database.prisma.auditEntry.create({ data: { ...common, ...entry } })
  return rowsOf(await browser.open(`/teams/${team.slug}/audit-trail`))[0]?.slice(0, 2)
}

test('says that a person joined through the identity provider, with its name if the entry contains it', async () => {
  const entry = { action: 'joinThroughProvider', subjectName: 'No Email' }
  expect(await rowOf({ ...entry, after: { role: 'member', provider: 'Okta' } }, 'No Email')).toEqual([
    'NE No Email',
    'joined as Member through Okta',
  ])
  expect(await rowOf({ ...entry, after: {} }, 'No Email')).toEqual(['NE No Email', 'joined through an identity provider'])
})

test.each([
  ['inviteMember', {}, {}, 'invited Bo'],
  ['addMember', {}, {}, 'added Bo'],
  ['updateMember', {}, { role: 'owner' }, 'changed the role of Bo to Owner'],
  ['updateToken', {}, {}, 'renamed the token to Bo'],
  ['updateTeam', {}, { name: 'Acme' }, 'renamed the team to Acme'],
  ['exportAuditLog', {}, {}, 'exported the audit log'],
  ['replayEvents', {}, {}, 'replayed events to the webhook Bo'],
])('leaves out of the sentence about %s what the entry does not contain', async (action, before, after, sentence) => {
  expect(await rowOf({ action, subjectName: 'Bo', before, after }, 'Ada')).toEqual(['A Ada', sentence])
})

test('does not show the name of a token as that of a person, and links to the objects that exist', async () => {
  const { browser, team } = await inTeam(service, 'owner', '')
  const bo = await createUser(database, { name: 'Bo' })
  const cy = await createUser(database, { name: 'Cy' })
  for (const user of [bo, cy]) await join(database, team, user, 'member')
  const token = await teamToken(database, team, { name: 'Tour' })
  const change = (fields: string) => graphql(service, token, `mutation { ${fields} { __typename } }`)
  for (const { id } of [bo, cy]) await change(`updateMember(input: { team: "${team.slug}", userId: "${id}", role: BILLING })`)
  await change(`removeMember(input: { team: "${team.slug}", userId: "${cy.id}" })`)
  const path = `/teams/${team.slug}/audit-trail`
  const page = await browser.open(path)
  expect(rowsOf(page).map((row) => row.slice(0, 2))).toEqual([
    ['Token Tour', 'removed Cy from the team'],
    ['Token Tour', 'changed the role of Cy from Member to Billing'],
    ['Token Tour', 'changed the role of Bo from Member to Billing'],
  ])
  expect(page.root.querySelectorAll('.sentence a').map((link) => [link.text, link.getAttribute('href')])).toEqual([
    ['Bo', `/teams/${team.slug}/members/${bo.id}`],
  ])
})

test('has links in each row that show only the changes of its person, and only those of its object', async () => {
  const { browser, person, team } = await inTeam(service, 'owner', '/settings')
  const namesake = await createUser(database, { name: person.name })
  const actor = { actorKind: 'user', actorName: person.name, authenticationMethod: 'session' }
  const common = { ...actor, at: service.clock.now(), teamId: team.id, action: 'leaveTeam', subjectName: 'Bo', requestId: 'x' }
  const entries = [
    { ...common, subject: namesake.id, actorUserId: person.id },
    { ...common, subject: namesake.id, actorUserId: namesake.id },
    { ...common, subject: person.id, actorUserId: person.id },
  ]
  await database.prisma.auditEntry.createMany({ data: entries })
  const path = `/teams/${team.slug}/audit-trail`
  const linksOf = async (text: string) => {
    const links = (await browser.open(path)).root.querySelectorAll('td.menu a').filter((link) => link.text === text)
    return links.map((link) => (link.getAttribute('href') ?? '').replaceAll('&amp;', '&'))
  }
  const rowCounts = async (text: string) => {
    const counts = await Promise.all((await linksOf(text)).map(async (link) => rowsOf(await browser.open(link)).length))
    return counts.toSorted((one, other) => one - other)
  }
  expect(await rowCounts('Show only this person')).toEqual([1, 2, 2])
  expect(await rowCounts('Show only this object')).toEqual([1, 2, 2])
  const filtered = await browser.open(`${path}?subject=${namesake.id}`)
  expect(filtered.root.querySelector('#field-subject')?.getAttribute('value')).toBe(namesake.id)
  expect((await browser.open(path)).root.querySelector('#field-subject')).toBeNull()
  expect((await browser.press(filtered, 'Export as CSV')).root.toString().split('\r\n').slice(1, -1)).toHaveLength(2)
})
