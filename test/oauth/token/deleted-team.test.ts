import { describe, expect, test } from 'vitest'
import type { OpenDatabase } from '../../../prisma/connection/database.ts'
import type { Team, User } from '../../../prisma/generated/client/client.ts'
import { authorize, authorizationUrl, createClient, createPerson, exchangeCode, post, refresh } from '../../support/oauth/oauth.ts'
import { Browser } from '../../support/browser/browser.ts'
import { enter } from '../../support/account-site/page-content.ts'
import { executeAs, operator } from '../../support/service/in-process.ts'
import { request } from '../../support/http/request.ts'
import { useService } from '../../support/service/service.ts'
import { createTeam, join, personalToken } from '../../support/data/team.ts'

const service = useService()
const { database } = service

const mutate = async (name: 'deleteTeam' | 'restoreTeam', { slug }: Team) => {
  const confirmation = name === 'deleteTeam' ? `, confirmSlug: "${slug}"` : ''
  const { refusal } = await executeAs(service, operator, `mutation { ${name}(input: { team: "${slug}"${confirmation} }) { __typename } }`)
  expect(refusal).toBeNull()
}
async function createOwner(data: OpenDatabase, ...teams: Team[]): Promise<User> {
  const owner = await createPerson(data)
  for (const team of teams) await join(data, team, owner, 'owner')
  return owner
}
const teamsOf = async (token: string) => {
  const { status, body } = await request(service, 'GET', '/api/v1/teams', { token })
  return status === 200 ? body.data.map(({ slug }: Team) => slug) : status
}

describe('a grant for a team that is deleted', () => {
  test('is refused everywhere from the next request on, and works again after the team is restored', async () => {
    const [team, other] = [await createTeam(database), await createTeam(database)]
    const owner = await createOwner(database, team, other)
    const client = await createClient(database, { team: 'required' })
    const authorization = await authorize(service, client, owner, { choices: { team: team.slug } })
    const unused = await authorize(service, client, owner, { choices: { team: team.slug }, browser: authorization.browser })
    const { body: tokens } = await exchangeCode(service, client, authorization)
    expect([tokens.team, await teamsOf(tokens.access_token)]).toEqual([team.slug, [team.slug]])
    await mutate('deleteTeam', team)

    const { access_token: token, refresh_token: refreshToken } = tokens
    expect(await teamsOf(token)).toBe(401)
    expect((await request(service, 'GET', '/api/v1/user', { token })).status).toBe(401)
    expect((await request(service, 'GET', `/api/v1/teams/${team.slug}`, { token })).status).toBe(401)
    const userInfo = await fetch(`${service.url}/api/oauth/userinfo`, { headers: { authorization: `Bearer ${token}` } })
    expect(userInfo.status).toBe(401)
    for (const value of [token, refreshToken])
      expect((await post(service, '/api/oauth/introspect', client, { token: value })).body).toEqual({ active: false })
    expect(await refresh(service, client, refreshToken)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await exchangeCode(service, client, unused)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    const grants = '{ viewer { grants { nodes { id: grantId } } } }'
    const ownToken = await personalToken(database, owner)
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ownToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: grants }),
    })
    expect(await response.json()).toMatchObject({ data: { viewer: { grants: { nodes: [] } } } })
    expect((await authorization.browser.open('/applications')).text).not.toContain(team.slug)
    const silent = await authorization.browser.open(authorizationUrl(service, client, { prompt: 'none' }).url)
    expect(silent.url.searchParams.get('error')).toMatch(/consent_required|interaction_required/)

    await mutate('restoreTeam', team)
    expect(await teamsOf(token)).toEqual([team.slug])
    const renewed = await refresh(service, client, refreshToken)
    expect([renewed.status, renewed.body.team]).toEqual([200, team.slug])
  })

  test('cannot be given on the consent page, also if the page was opened before', async () => {
    const [team, other] = [await createTeam(database), await createTeam(database)]
    const owner = await createOwner(database, team, other)
    const client = await createClient(database, { team: 'required' })
    const browser = new Browser(service.url)
    await enter(browser, owner, '/account')
    const before = await browser.open(authorizationUrl(service, client).url)
    expect(before.text).toContain(team.slug)
    await mutate('deleteTeam', team)
    const refused = await browser.press(before, 'Allow access', { team: team.slug })
    expect([refused.status, refused.text.includes(team.slug)]).toEqual([409, false])
    expect(await database.prisma.oAuthGrant.count({ where: { teamId: team.id } })).toBe(0)
    const opened = await browser.open(authorizationUrl(service, client).url)
    expect([opened.text.includes(team.slug), opened.text.includes(other.slug)]).toEqual([false, true])
  })
})

test('a grant without a team keeps the other teams', async () => {
  const [team, other] = [await createTeam(database), await createTeam(database)]
  const owner = await createOwner(database, team, other)
  const client = await createClient(database, { team: 'none' })
  const { body: tokens } = await exchangeCode(service, client, await authorize(service, client, owner))
  expect(await teamsOf(tokens.access_token)).toEqual([team.slug, other.slug].toSorted())
  await mutate('deleteTeam', team)
  expect(await teamsOf(tokens.access_token)).toEqual([other.slug])
  expect((await refresh(service, client, tokens.refresh_token)).status).toBe(200)
})
