import { expect, test } from 'vitest'
import { createTeam, join } from '../../support/data/team.ts'
import { graphql } from '../../support/http/graphql.ts'
import { noticeOf, openAs } from '../../support/account-site/page-content.ts'
import { rowsOf } from '../../support/account-site/team.ts'
import { createPerson } from '../../support/oauth/oauth.ts'
import { createTeamClient, requestMachineToken } from '../../support/oauth/clients/machines.ts'
import { personalToken } from '../../support/data/team.ts'
import { useService } from '../../support/service/service.ts'

// Clients that act for their team are among what can access it: docs/decisions/clients.md#access.

const service = useService()
const { database } = service

test('the access page lists a client of the team with its own access, and cuts it off from the next request on', async () => {
  const [team, owner] = [await createTeam(database), await createPerson(database)]
  await join(database, team, owner, 'owner')
  const client = await createTeamClient(database, team, { name: 'Nightly export', optionalScopes: ['openid', 'teams', 'acct:team:read'] })
  await createTeamClient(database, team, {
    name: 'No own access',
    grantTypes: ['authorization_code'],
    redirectUris: ['https://a.example/cb'],
  })
  const { body } = await requestMachineToken(service, client)
  const status = async () => (await graphql(service, body.access_token, '{ teams { slug } }')).status
  expect(await status()).toBe(200)

  const token = await personalToken(database, owner, { scopes: ['acct:team:access:read', 'acct:team:tokens:read'] })
  const document = `{ team(slug: "${team.slug}") { access(kind: CLIENT) { nodes { clientId kind name scopes isLimited credential { ... on OAuthClient { clientId } } } } } }`
  const { data } = await graphql(service, token, document)
  expect(data.team.access.nodes).toEqual([
    {
      clientId: client.clientId,
      kind: 'CLIENT',
      name: 'Nightly export',
      scopes: ['teams', 'acct:team:read'],
      isLimited: true,
      credential: { clientId: client.clientId },
    },
  ])

  const { browser, page } = await openAs(service, owner, `/teams/${team.slug}/access?kind=CLIENT`)
  expect(rowsOf(page).map(([, name, person]) => [name, person])).toEqual([['Nightly export Team app', '–']])
  const selected = page.root.querySelectorAll('.rows tbody input').map((input) => input.getAttribute('value') ?? '')
  const asked = await browser.press(page, 'Revoke selected…', { selected })
  const done = await browser.press(asked, 'Revoke access of 1 token or app')
  expect(noticeOf(done)).toEqual([200, 'The access of Nightly export was revoked.'])
  expect(await status()).toBe(401)
  expect((await requestMachineToken(service, client)).body.error).toBe('unauthorized_client')
  expect((await graphql(service, token, document)).data.team.access.nodes).toEqual([])
})
