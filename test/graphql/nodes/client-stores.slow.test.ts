import { isObjectType } from 'graphql'
import type { GraphQLNamedType } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { publicSchema } from '../../../schema/public-schema.ts'
import { objectsIn } from '../../support/graphql/stores/objects.ts'
import { readEverything } from '../../support/graphql/stores/read-everything.ts'
import { createSharedTeams } from '../../support/graphql/stores/shared-teams.ts'
import { stores } from '../../support/graphql/stores/stores.ts'
import type { Received } from '../../support/graphql/stores/select-all.ts'
import { useService } from '../../support/service/service.ts'

// Clients normalise responses: they keep one object per `id`, whichever query it came from. If two objects had the same `id`, one
// would be shown with the other's values.

const service = useService()
let responses: Received[]
beforeAll(async () => {
  responses = await readEverything(service, (await createSharedTeams(service)).principal)
})

const hasIdentity = (type: GraphQLNamedType) => isObjectType(type) && 'id' in type.getFields() && !type.name.endsWith('Payload')

describe('the normalising store of a client', () => {
  test.each(Object.entries(stores))('of %s returns every list of every team as it was received', async (_, store) => {
    expect(await store(responses, publicSchema())).toEqual(responses.map(({ data }) => data))
  })

  test('contains objects of every type with an identity, except clients, which only staff and operators see', () => {
    const withId = Object.values(publicSchema().getTypeMap()).filter(hasIdentity)
    const received = new Set(responses.flatMap(({ data }) => objectsIn(data)).map(({ __typename: name }) => name))
    expect([...received, 'OAuthClient'].toSorted()).toEqual(withId.map(({ name }) => name).toSorted())
  })
})
