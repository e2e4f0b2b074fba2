import { InMemoryCache } from '@apollo/client/cache'
import { Client, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { isInterfaceType, isObjectType, isUnionType, parse } from 'graphql'
import type { GraphQLSchema } from 'graphql'
import { printed } from './select-all.ts'
import type { Received } from './select-all.ts'
import { relayStore } from './relay-store.ts'

/** Writes responses to the normalising store of a client, and reads them from it. No store is configured to identify objects. */
export type Store = (responses: readonly Received[], schema: GraphQLSchema) => unknown[] | Promise<unknown[]>

const queryOf = ({ fields }: Received) => parse(`query ${printed(fields)}`)

function apollo(responses: readonly Received[], schema: GraphQLSchema): unknown[] {
  const abstract = Object.values(schema.getTypeMap()).filter((type) => isUnionType(type) || isInterfaceType(type))
  const possibleTypes = Object.fromEntries(abstract.map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]))
  const cache = new InMemoryCache({ possibleTypes })
  for (const response of responses) cache.writeQuery({ query: queryOf(response), data: response.data as never })
  return responses.map((response) => cache.readQuery({ query: queryOf(response) }))
}

async function graphcache(responses: readonly Received[], schema: GraphQLSchema): Promise<unknown[]> {
  // Its documentation asks for this: it warns of objects without an identity, which it keeps within the object above.
  const withoutIdentity = Object.values(schema.getTypeMap()).filter((type) => isObjectType(type) && !('id' in type.getFields()))
  const keys = Object.fromEntries(withoutIdentity.map(({ name }) => [name, () => null]))
  const waiting = responses.map(({ data }) => data)
  const client = new Client({
    url: 'https://accounts.example/graphql',
    exchanges: [cacheExchange({ keys }), fetchExchange],
    preferGetMethod: false,
    fetch: async () => Response.json({ data: waiting.shift() }),
  })
  for (const response of responses) await client.query(queryOf(response), {}, { requestPolicy: 'network-only' }).toPromise()
  return Promise.all(
    responses.map(async (response) => (await client.query(queryOf(response), {}, { requestPolicy: 'cache-only' }).toPromise()).data),
  )
}

export const stores: Record<string, Store> = { 'Apollo Client': apollo, 'urql’s Graphcache': graphcache, Relay: relayStore }
