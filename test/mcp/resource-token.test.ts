import { beforeAll, expect, test } from 'vitest'
import { createOwnedTeam } from '../support/data/team.ts'
import { graphql } from '../support/http/graphql.ts'
import { request } from '../support/http/request.ts'
import { callMessage, post } from '../support/mcp/client.ts'
import { accessToken, createGrant } from '../support/oauth/oauth-rows.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const { database } = service
let token: string
beforeAll(async () => {
  const { owner } = await createOwnedTeam(database)
  token = await accessToken(database, await createGrant(database, owner), { aud: `${service.url}/mcp` })
})

test.each(['/mcp', '/mcp/readonly'])('a token for /mcp is accepted at %s', async (path) => {
  expect((await post(service, token, callMessage('list_teams'), { path })).status).toBe(200)
})

test('a token for /mcp is refused by REST and GraphQL', async () => {
  const rest = await request(service, 'GET', '/api/v1/teams', { token })
  expect([rest.status, rest.body.code]).toEqual([401, 'unauthenticated'])
  const { status, data } = await graphql(service, token, '{ viewer { id: userId } }')
  expect([status, data]).toEqual([401, null])
})
