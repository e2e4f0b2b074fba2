import { describe, expect, test } from 'vitest'
import { accessToken, createGrant } from '../../support/oauth/oauth-rows.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { graphql } from '../../support/http/graphql.ts'
import { request } from '../../support/http/request.ts'
import { tokenScopes } from '../../../schema/core/scopes.ts'
import type { Scope } from '../../../schema/core/scopes.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join, personalToken, teamToken } from '../../support/data/team.ts'
import { alertOf, contentOf, heading, noticeOf, openAs } from '../../support/account-site/page-content.ts'
import { rowsOf } from '../../support/account-site/team.ts'

const service = useService()
const { database } = service
const { prisma } = database

/** Creates a team with a token, and a member with a token and an application. Opens the access page as the owner. */
async function teamWithAccess() {
  const team = await createTeam(database)
  const owner = await createPerson(database)
  await join(database, team, owner, 'owner')
  const member = await createPerson(database, { name: 'Grace' })
  await join(database, team, member, 'member')
  const ofTeam = await teamToken(database, team)
  const ofMember = await personalToken(database, member)
  const grant = await createGrant(database, member, { scopes: ['openid', 'teams'] })
  const ofClient = await accessToken(database, grant)
  const path = `/teams/${team.slug}/access`
  return { team, owner, member, ofTeam, ofMember, ofClient, path, ...(await openAs(service, owner, path)) }
}

const statusOf = async (slug: string, token: string) => (await request(service, 'GET', `/api/v1/teams/${slug}`, { token })).status

/** Opens the page of `teamWithAccess` and returns the values of its rows, by kind. */
async function openAccess() {
  const all = await teamWithAccess()
  const page = await all.browser.open(all.path)
  const keys = page.root.querySelectorAll('.rows tbody input').map((input) => input.getAttribute('value') ?? '')
  const keyOf = (kind: string) => keys.find((key) => key.startsWith(kind)) ?? ''
  const revoke = async (selected: string[]) => {
    const asked = await all.browser.press(page, 'Revoke selected…', { selected })
    const button = asked.root.querySelector('.bulk .danger')
    return button ? all.browser.press(asked, button.text) : asked
  }
  return { ...all, page, keys, keyOf, revoke }
}

const permissionsOfAll = `${tokenScopes.length} permissions`

describe('the access page of a team', () => {
  test('lists team tokens, personal tokens of members and apps in one table', async () => {
    const { page, team, member, ofTeam, ofMember } = await openAccess()
    expect([heading(page), page.root.querySelector('#rows')?.text]).toEqual([[200, 'Access'], '3 tokens and apps'])
    expect(rowsOf(page).map(([, name, person, permissions, used]) => [name, person, permissions?.slice(0, 14), used])).toEqual(
      expect.arrayContaining([
        [`test Write access Team token tat_…${ofTeam.slice(-4)}`, 'Imported, or deleted account', permissionsOfAll, 'Never used'],
        [`test Write access Personal token pat_…${ofMember.slice(-4)}, all their teams`, 'G Grace', permissionsOfAll, 'Never used'],
        ['Dashboard Connected app, all their teams', 'G Grace', '2 permissions ', 'Never used'],
      ]),
    )
    const token = await prisma.accessToken.findFirstOrThrow({ where: { teamId: team.id } })
    const names = page.root.querySelectorAll('.rows .named a').map((link) => [link.text, link.getAttribute('href')])
    const memberPage = `/teams/${team.slug}/members/${member.id}`
    const expected = [
      ['test', `/teams/${team.slug}/tokens/${token.id}`],
      ['test', memberPage],
      ['Dashboard', memberPage],
    ]
    expect([names.length, names]).toEqual([3, expect.arrayContaining(expected)])
    const marked = page.root.querySelectorAll('.rows .fold').map((fold) => fold.text.includes('Write access'))
    expect(marked.filter(Boolean)).toHaveLength(2)
  })

  test('omits revoked and expired access, and explains which access it lists', async () => {
    const { team, member, browser, path } = await openAccess()
    const past = new Date(service.clock.now().getTime() - 1000)
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { revokedAt: past } })
    await prisma.accessToken.updateMany({ where: { userId: member.id }, data: { expiresAt: past } })
    await prisma.oAuthGrant.updateMany({ where: { userId: member.id }, data: { revokedAt: past } })
    expect((await browser.open(path)).root.querySelector('.empty')?.text).toBe('No token or app has access to this team.')
  })

  test('is filtered by kind and person, sorted by last use, and marks what was not used for 90 days', async () => {
    const { team, member, browser, path } = await openAccess()
    const day = 86_400_000
    const now = service.clock.now().getTime()
    await prisma.accessToken.updateMany({ where: { teamId: team.id }, data: { lastUsedAt: new Date(now - 91 * day) } })
    await prisma.accessToken.updateMany({ where: { userId: member.id }, data: { lastUsedAt: new Date(now - 89 * day) } })
    const kinds = async (query: string) => {
      const { root } = await browser.open(`${path}?${query}`)
      return root.querySelectorAll('.rows tbody input').map((input) => input.getAttribute('value')?.split(':')[0])
    }
    expect(await kinds('sort=-last_used')).toEqual(['PERSONAL_TOKEN', 'TEAM_TOKEN', 'APP'])
    expect(await kinds('sort=last_used')).toEqual(['TEAM_TOKEN', 'PERSONAL_TOKEN', 'APP'])
    expect(await kinds('kind=APP')).toEqual(['APP'])
    expect(await kinds('person=GRACE&sort=-last_used')).toEqual(['PERSONAL_TOKEN', 'APP'])
    expect(await kinds('search=dashb')).toEqual(['APP'])
    const page = await browser.open(`${path}?sort=-last_used`)
    const unused = page.root.querySelectorAll('.rows tbody tr').map((row) => row.text.includes('Unused for 90 days'))
    expect(unused).toEqual([false, true, false])
  })

  test.each([
    ['TEAM_TOKEN', 'ofTeam', 401, 'The access of test was revoked.'],
    ['PERSONAL_TOKEN', 'ofMember', 403, 'The access of test was revoked.'],
    ['APP', 'ofClient', 403, 'The access of Dashboard was revoked.'],
  ] as const)('revokes one row at once: %s', async (kind, credential, status, notice) => {
    const all = await openAccess()
    const { team, member, keyOf, revoke } = all
    const other = await createTeam(database)
    await join(database, other, member, 'owner')
    const after = await revoke([keyOf(kind)])
    expect([after.url.pathname, noticeOf(after), rowsOf(after).length]).toEqual([all.path, [200, notice], 2])
    for (const token of [all.ofTeam, all.ofMember, all.ofClient])
      expect(await statusOf(team.slug, token)).toBe(token === all[credential] ? status : 200)
    if (kind !== 'TEAM_TOKEN') expect(await statusOf(other.slug, all[credential])).toBe(200)
    // A second submission comes from a page that another owner opened before. Revoking a team token twice changes nothing.
    if (kind !== 'TEAM_TOKEN') expect((await revoke([keyOf(kind)])).text).toContain('What you selected is no longer on this page.')
  })

  test('revokes several at once, and none without a selection', async () => {
    const { team, keys, revoke, page, browser, ofTeam, ofMember, ofClient } = await openAccess()
    expect(alertOf(await revoke([]))).toEqual([422, 'Select at least one token or app.'])
    for (const key of ['', 'KING:x', 'APP:nonsense']) expect((await revoke([key])).status).toBe(422)
    for (const token of [ofTeam, ofMember, ofClient]) expect(await statusOf(team.slug, token)).toBe(200)
    expect(noticeOf(await revoke(keys))[1]).toMatch(/^The access of (\w+, )?\w+(, \w+)? and \w+ was revoked\.$/)
    for (const token of [ofTeam, ofMember, ofClient]) expect(await statusOf(team.slug, token)).not.toBe(200)
    expect((await browser.open(page.url)).root.querySelectorAll('.rows').length).toBe(0)
  })

  test('revokes nothing for a former owner', async () => {
    const { team, owner, member, keys, revoke, ofTeam } = await openAccess()
    await join(database, team, await createPerson(database), 'owner')
    await prisma.member.update({ where: { teamId_userId: { teamId: team.id, userId: owner.id } }, data: { role: 'member' } })
    expect(heading(await revoke(keys))).toEqual([403, 'You don’t have access'])
    expect(await statusOf(team.slug, ofTeam)).toBe(200)
    const { page } = await openAs(service, member, `/teams/${team.slug}/access`)
    expect(heading(page)).toEqual([403, 'You don’t have access'])
  })

  test('shows the member that their token lost access to the team', async () => {
    const { member, team, keyOf, revoke } = await openAccess()
    const { browser } = await openAs(service, member, '/tokens')
    const { id } = await prisma.accessToken.findFirstOrThrow({ where: { userId: member.id } })
    const shown = async () => contentOf(await browser.open(`/tokens/${id}`))
    expect(await shown()).not.toContain(`by an owner of ${team.slug}`)
    await revoke([keyOf('PERSONAL_TOKEN')])
    expect(await shown()).toContain(`by an owner of ${team.slug}`)
  })
})

test('only callers who may list team tokens see them in the list of access', async () => {
  const { team, owner } = await teamWithAccess()
  const kindsFor = async (scopes: readonly Scope[]) => {
    const token = await personalToken(database, owner, { scopes })
    const { data } = await graphql(service, token, `{ team(slug: "${team.slug}") { access(kind: TEAM_TOKEN) { total } } }`)
    return data
  }
  expect(await kindsFor(['teams', 'acct:team:access:read'])).toEqual({ team: { access: { total: 0 } } })
  expect(await kindsFor(['teams', 'acct:team:access:read', 'acct:team:tokens:read'])).toEqual({ team: { access: { total: 1 } } })
})
