import { expect, test } from 'vitest'
import { contentOf, inTeam, rowsOf, teamLinks } from '../../support/account-site/team.ts'
import { heading } from '../../support/account-site/page-content.ts'
import { createTeamClient } from '../../support/oauth/clients/machines.ts'
import { startService, useService } from '../../support/service/service.ts'

const service = useService()
const { database } = service
const { prisma } = database

test('the list shows the state of each app, its changes in review, connections, last use and refused requests', async () => {
  const { team, person, browser, address, page } = await inTeam(service, 'owner', '/developers')
  expect(contentOf(page)).toContain('Create one to get a client ID, and try it here before you write any code.')
  const code = { grantTypes: ['authorization_code'], redirectUris: ['https://app.example/cb'], requiredScopes: ['openid' as const] }
  await createTeamClient(database, team, { name: 'Draft app', state: 'draft', createdAt: new Date(0), ...code })
  const listed = await createTeamClient(database, team, { name: 'Portal', state: 'listed', ...code })
  await prisma.oAuthClient.update({ where: { id: listed.id }, data: { proposedChanges: { name: 'Portal 2' } } })
  const at = service.clock.now()
  await prisma.oAuthGrant.create({
    data: { userId: person.id, oauthClientId: listed.id, scopes: ['openid'], expiresAt: new Date(at.getTime() + 1e9), lastUsedAt: at },
  })
  const failure = { oauthClientId: listed.id, day: at, lastAt: at }
  await prisma.authorizationFailure.createMany({
    data: [
      { ...failure, cause: 'pkce', sent: '', count: 2 },
      { ...failure, cause: 'code', sent: '', count: 3 },
    ],
  })
  await createTeamClient(database, team, { name: 'Export', state: 'draft', createdAt: new Date(1) })
  expect(rowsOf(await browser.open(address))).toEqual([
    ['P Portal', 'Changes in review', 'just now', '1', '5'],
    ['E Export', 'For this team', 'never', '0', '0'],
    ['DA Draft app', 'Draft', 'never', '0', '0'],
  ])
})

test('a team with ten apps creates no other', async () => {
  const { team, browser, address } = await inTeam(service, 'owner', '/developers')
  for (let index = 0; index < 10; index++) await createTeamClient(database, team)
  const page = await browser.open(address)
  expect(contentOf(page)).toContain('A team can have 10 apps. Delete one to create another.')
  expect(page.root.querySelector(`a[href="${address}/new"]`)).toBeNull()
})

test('where registration is closed, the page says who registers apps', async () => {
  const closed = await startService({ clientRegistration: 'closed' })
  const { page } = await inTeam(closed, 'owner', '/developers')
  expect(contentOf(page)).toContain('Only operators of this service can register apps.')
})

test.each(['member', 'billing'] as const)('a user with the role %s neither sees nor opens the pages', async (role) => {
  const { team, browser, address, page } = await inTeam(service, role, '/developers')
  const { clientId } = await createTeamClient(database, team)
  for (const each of [page, await browser.open(`${address}/new`), await browser.open(`${address}/${clientId}`)])
    expect(heading(each)[0]).toBe(403)
  expect(teamLinks(page)).not.toContain('Apps')
})

test('the page of an app of another team does not exist', async () => {
  const [own, other] = [await inTeam(service, 'owner', '/developers'), await inTeam(service, 'owner', '/developers')]
  const { clientId } = await createTeamClient(database, other.team)
  expect(heading(await own.browser.open(`${own.address}/${clientId}`))[0]).toBe(404)
})
