import { expect, test } from 'vitest'
import { alertOf, contentOf, openAs, tokenValueOn } from '../../support/account-site/page-content.ts'
import type { Page } from '../../support/browser/browser.ts'
import { createTeam, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const usual = { Name: 'Backup script', scopes: ['teams', 'flow:rules:read'], expiresAt: '30' }

/** Opens the page that creates tokens, for a new user. */
async function atNew() {
  const person = await createPerson(database)
  return { person, ...(await openAs(service, person, '/tokens/new')) }
}

test('a personal token is limited to the selected teams, at least one of which is required', async () => {
  const { person, browser, page } = await atNew()
  const refused = await browser.press(page, 'Create token', { ...usual, reach: 'chosen' })
  expect([...alertOf(refused), refused.root.querySelector('#field-teams-wrong')?.text]).toEqual([
    422,
    'Choose at least one team.',
    'Choose at least one team.',
  ])
  const [team, other] = [await createTeam(database), await createTeam(database)]
  await join(database, team, person, 'member')
  await join(database, other, person, 'member')
  const made = await browser.press(await browser.open('/tokens/new'), 'Create token', { ...usual, reach: 'chosen', teams: [team.slug] })
  const { body } = await request(service, 'GET', '/api/v1/teams', { token: tokenValueOn(made) })
  expect(body.data.map(({ slug }: { slug: string }) => slug)).toEqual([team.slug])
  const token = await database.prisma.accessToken.findFirst({ where: { userId: person.id } })
  expect(contentOf(await browser.open(`/tokens/${token?.id}`))).toContain(`Teams ${team.slug}`)
})

test('the form offers the scope of staff to staff only, and the page of the token shows it', async () => {
  const choices = (page: Page) => page.root.querySelectorAll('input[name=scopes]').map((input) => input.getAttribute('value'))
  expect(choices((await atNew()).page)).not.toContain('acct:staff:read')
  const person = await createPerson(database)
  await database.prisma.user.update({ where: { id: person.id }, data: { staff: true } })
  const { browser, page } = await openAs(service, person, '/tokens/new')
  expect(choices(page)).toContain('acct:staff:read')
  const made = await browser.press(page, 'Create token', { ...usual, scopes: ['acct:staff:read'] })
  const { data } = await graphql(service, tokenValueOn(made), '{ viewer { isStaff scopes } }')
  expect(data.viewer).toEqual({ isStaff: true, scopes: ['acct:staff:read'] })
  expect(contentOf(await browser.open('/tokens'))).toContain('All teams: read')
  const team = await createTeam(database)
  await join(database, team, person, 'owner')
  expect(choices(await browser.open(`/teams/${team.slug}/tokens/new`))).not.toContain('acct:staff:read')
})

test('a personal token can be renamed, and found by its name', async () => {
  const { person, browser, page: form } = await atNew()
  await browser.press(form, 'Create token', usual)
  const token = await database.prisma.accessToken.findFirst({ where: { userId: person.id } })
  const page = await browser.open(`/tokens/${token?.id}`)
  expect(alertOf(await browser.press(page, 'Save name', { Name: ' ' }))).toEqual([422, 'Enter a name.'])
  const renamed = await browser.press(page, 'Save name', { Name: 'Nightly 100%' })
  expect(contentOf(renamed)).toMatch(/The token is now called “Nightly 100%”\. /)
  const found = async (search: string) => (await browser.open(`/tokens?search=${search}`)).root.querySelectorAll('tbody tr').length
  expect([await found('NIGHTLY'), await found('0%25'), await found('_'), await found('Backup')]).toEqual([1, 1, 0, 0])
})

test('the sort options of the token list name the column and the direction', async () => {
  const { browser, page } = await atNew()
  await browser.press(page, 'Create token', usual)
  const options = (await browser.open('/tokens')).root.querySelectorAll('select[name=sort] option').map(({ text }) => text)
  expect(options).toEqual([
    'Name, A to Z',
    'Name, Z to A',
    'Last used, newest first',
    'Last used, oldest first',
    'Expires, soonest first',
    'Expires, latest first',
    'Created, newest first',
    'Created, oldest first',
  ])
})
