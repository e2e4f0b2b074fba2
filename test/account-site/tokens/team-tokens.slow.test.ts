import { describe, expect, test } from 'vitest'
import { createPerson } from '../../support/oauth/oauth.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join, personalToken, teamToken } from '../../support/data/team.ts'
import { alertOf, contentOf, heading, navigationOf, openAs, tokenValueOn } from '../../support/account-site/page-content.ts'

const service = useService()
const { database } = service
const { prisma } = database
const notYours = [403, 'You don’t have access']
const usual = { Name: 'Deploys', scopes: ['acct:team:read'], expiresAt: 'never' }

/** Creates a team with an owner and opens one of the team's pages. */
async function owned(page = '/tokens/new') {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const path = `/teams/${team.slug}/tokens`
  return { team, owner, path, ...(await openAs(service, owner, `/teams/${team.slug}${page}`)) }
}

describe('a team token', () => {
  test('can be unlimited, acts for its team and shows its creator', async () => {
    const { team, owner, path, browser, page } = await owned()
    const made = await browser.press(page, 'Create token', usual)
    const value = tokenValueOn(made)
    expect([heading(made), value]).toEqual([[200, 'Copy your token'], expect.stringMatching(/^tat_[0-9A-Za-z]{36}$/)])
    const { body } = await request(service, 'GET', '/api/v1/user', { token: value })
    expect(body).toMatchObject({ kind: 'team_token', team: team.slug, scopes: ['acct:team:read'], expires_at: null })
    const list = await browser.open(path)
    expect(contentOf(list)).toContain(`by ${owner.name}`)
    expect(contentOf(list)).toMatch(/never never just now /)
    expect(navigationOf(list)).toContain('Team tokens')
    const refused = await browser.press(page, 'Create token', usual)
    expect(alertOf(refused)).toEqual([422, 'The token was already created, and its value is not shown again.'])
    expect(await prisma.accessToken.count({ where: { teamId: team.id } })).toBe(1)
  })

  test('can expire after more than a year', async () => {
    const { team, browser, page } = await owned()
    await browser.press(page, 'Create token', { ...usual, expiresAt: 'date', day: '2030-06-30' })
    const { expiresAt } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    expect(expiresAt).toEqual(new Date('2030-06-30T23:59:59.999Z'))
  })

  test('can be rotated and revoked by an owner', async () => {
    const { team, path, browser } = await owned('')
    const old = await teamToken(database, team)
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    const shown = await browser.press(await browser.open(`${path}/${id}`), 'Rotate token', { overlapSeconds: '604800' })
    const fresh = tokenValueOn(shown)
    const statusOf = async (token: string) => (await request(service, 'GET', '/api/v1/user', { token })).status
    expect([await statusOf(old), await statusOf(fresh)]).toEqual([200, 200])
    const after = await browser.press(await browser.open(`${path}/${id}`), 'Revoke token')
    expect([after.url.pathname, await statusOf(old), await statusOf(fresh)]).toEqual([path, 401, 401])
    const badges = async (page: string) => (await browser.open(page)).root.querySelectorAll('.rows .badge').map((badge) => badge.text)
    expect([await badges(path), await badges(`${path}?all=yes`)]).toEqual([[], ['Write access', 'Revoked']])
  })

  test('can be seen and changed by owners only', async () => {
    const { team, path } = await owned('')
    await teamToken(database, team)
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    const stranger = await createPerson(database)
    for (const role of ['member', 'billing', null] as const) {
      const person = role ? await createPerson(database) : stranger
      if (role) await join(database, team, person, role)
      const { browser, page } = await openAs(service, person, '/tokens')
      for (const each of [path, `${path}/new`, `${path}/${id}`, `/teams/${team.slug}/access`])
        expect(heading(await browser.open(each))).toEqual(notYours)
      expect(navigationOf(page)).not.toContain('Team tokens')
    }
    const values = new URLSearchParams({ form: 'revoke', csrf: 'x' })
    const { browser, page } = await openAs(service, stranger, '/tokens')
    expect(heading(await browser.send(page, `${path}/${id}`, values))).toEqual(notYours)
    expect(await prisma.accessToken.count({ where: { teamId: team.id, revokedAt: null } })).toBe(1)
  })

  test('of another team or of a user is not found at the path of the team', async () => {
    const { owner, path, browser } = await owned('')
    const other = await createTeam(database)
    await teamToken(database, other)
    await personalToken(database, owner)
    const others = await prisma.accessToken.findMany({ where: { OR: [{ teamId: other.id }, { userId: owner.id }] } })
    for (const { id } of others) expect(heading(await browser.open(`${path}/${id}`))).toEqual([404, 'Page not found'])
  })
})

test('the list of team tokens has pages and says when a page is beyond the last one', async () => {
  const { team, path, browser } = await owned('')
  for (let i = 0; i < 51; i++) await teamToken(database, team)
  const first = await browser.open(path)
  expect([first.root.querySelectorAll('tbody tr').length, first.root.querySelector('.pages')?.text]).toEqual([50, 'Page 1 of 2Next page'])
  const second = await browser.open(first.root.querySelector('.pages a')?.getAttribute('href') ?? '')
  expect([second.root.querySelectorAll('tbody tr').length, second.root.querySelector('.pages')?.text]).toEqual([
    1,
    'Previous pagePage 2 of 2',
  ])
  const beyond = await browser.open(`${path}?page=9`)
  expect(contentOf(beyond)).toMatch(/There is nothing on this page\. Go to the last page/)
  for (const wrong of ['0', '-1', 'x', '1e9', '99999999999'])
    expect((await browser.open(`${path}?page=${wrong}`)).root.querySelectorAll('tbody tr')).toHaveLength(50)
})

test('the list shows who created a token, also somebody who left the team, and what is not known', async () => {
  const { team, owner, path, browser } = await owned('')
  const former = await createPerson(database, { name: 'Former member' })
  const creators = { mine: owner.id, theirs: former.id, unknown: null }
  for (const [name, createdById] of Object.entries(creators)) {
    await teamToken(database, team, { name })
    await prisma.accessToken.updateMany({ where: { teamId: team.id, name }, data: { createdById } })
  }
  const rows = (await browser.open(`${path}?sort=name`)).root.querySelectorAll('.rows tbody tr')
  expect(rows.map((row) => row.querySelector('.creator')?.text)).toEqual([`by ${owner.name}`, 'by Former member', 'by an unknown person'])
})

test('a token is revoked from the list after the consequence in words, and a new one can be created like it', async () => {
  const { team, path, browser } = await owned('')
  await teamToken(database, team, { name: 'Deploys', scopes: ['acct:team:read'] })
  const asked = await browser.openConfirmation(await browser.open(path), 'Revoke token')
  expect(contentOf(asked)).toContain('Deploys Everything that uses the token stops working immediately. You cannot undo this.')
  const { id } = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
  const page = await browser.open(`${path}/${id}`)
  expect(heading(page)).toEqual([200, 'Deploys'])
  const link = page.root.querySelectorAll('main a').find(({ text }) => text === 'Create a token like this one')
  const form = await browser.open(link?.getAttribute('href') ?? '')
  expect(form.root.querySelectorAll('input[name=scopes][checked]').map((box) => box.getAttribute('value'))).toEqual(['acct:team:read'])
  const after = await browser.press(asked, 'Revoke token')
  expect([after.url.pathname, contentOf(after)]).toEqual([path, expect.stringContaining('The token “Deploys” was revoked.')])
})
