import { print } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { clients } from '../../support/graphql/dashboards/clients.ts'
import type { Client } from '../../support/graphql/dashboards/clients.ts'
import { dashboards } from '../../support/graphql/dashboards/documents.ts'
import { createOwnerOfTeams } from '../../support/graphql/dashboards/teams.ts'
import { graphql } from '../../support/http/graphql.ts'
import { isFull } from '../../support/service/full.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnerOfTeams(service, 50))
})

/** Without `__typename`, which some clients add to the query. */
const withoutTypeNames = (data: unknown): unknown =>
  JSON.parse(JSON.stringify(data, (key, value) => (key === '__typename' ? undefined : value)))

const names = Object.keys(dashboards)
const all = Object.entries(clients)
/** All clients in the full suite. Otherwise one in turn for each dashboard, so that every client is used. */
const clientsFor = (dashboard: string) => (isFull ? all : all.filter((_, index) => index === names.indexOf(dashboard) % all.length))

describe.each(Object.entries(dashboards))('the dashboard “%s” of 50 teams', (name, [document, variables]) => {
  test.each(clientsFor(name))('reaches an application of %s as the service sent it', async (_, client: Client) => {
    const { data, errors } = await graphql(service, token, print(document), variables)
    expect(errors).toEqual([])
    const received = await client({ url: service.url, token }, document as never, variables)
    expect(received.errorPaths).toEqual([])
    expect(withoutTypeNames(received.data)).toEqual(data)
  })
})
