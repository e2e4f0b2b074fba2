import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache } from '@apollo/client'
import type { TypedDocumentNode } from '@graphql-typed-document-node/core'
import { Client as UrqlClient, fetchExchange } from '@urql/core'
import { cacheExchange } from '@urql/exchange-graphcache'
import { isObjectType, print } from 'graphql'
import { GraphQLClient } from 'graphql-request'
import { Environment, Network, RecordSource, Store, fetchQuery } from 'relay-runtime'
import { publicSchema } from '../../../../schema/public-schema.ts'
import { fetchApi } from '../../http/fetch-api.ts'
import { relayRequest } from './relay-request.ts'

/** What a client gives to an application: the data, and the paths of the errors, in their order in the alphabet. */
export interface Received<Data> {
  data: Data | null | undefined
  errorPaths: string[]
}

/** Runs a query as an application would, with a cache that is empty before. */
export type Client = <Data, Variables extends Record<string, unknown>>(
  request: { url: string; token: string },
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) => Promise<Received<Data>>

const pathsOf = (errors: readonly { path?: readonly (string | number)[] | undefined }[] = []) =>
  errors.map(({ path = [] }) => path.join('.')).toSorted((a, b) => (a < b ? -1 : 1))
const headersOf = (token: string) => ({ Authorization: `Bearer ${token}` })

const urql: Client = async ({ url, token }, document, variables) => {
  // Its documentation asks for this: objects without an identity are kept within the object above.
  const withoutIdentity = Object.values(publicSchema().getTypeMap()).filter((type) => isObjectType(type) && !('id' in type.getFields()))
  const keys = Object.fromEntries(withoutIdentity.map(({ name }) => [name, () => null]))
  const client = new UrqlClient({
    url: `${url}/graphql`,
    exchanges: [cacheExchange({ keys }), fetchExchange],
    fetchOptions: { headers: headersOf(token) },
    preferGetMethod: false,
  })
  const { data, error } = await client.query(document, variables).toPromise()
  return { data: data ?? null, errorPaths: pathsOf(error?.graphQLErrors) }
}

const apollo: Client = async ({ url, token }, document, variables) => {
  const link = new HttpLink({ uri: `${url}/graphql`, headers: headersOf(token) })
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  const { data, error } = await client.query({ query: document, variables, errorPolicy: 'all' } as never)
  return { data: data as never, errorPaths: pathsOf(CombinedGraphQLErrors.is(error) ? error.errors : []) }
}

const relay: Client = async ({ url, token }, document, variables) => {
  const errorPaths: string[] = []
  const network = Network.create(async ({ text }) => {
    const headers = { ...headersOf(token), 'Content-Type': 'application/json' }
    const response = await fetchApi(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query: text, variables }) })
    const result = await response.json()
    errorPaths.push(...pathsOf(result.errors))
    return result
  })
  const environment = new Environment({ network, store: new Store(new RecordSource()) })
  const data = await fetchQuery(environment, relayRequest(document), variables).toPromise()
  return { data: data as never, errorPaths }
}

const graphqlRequest: Client = async ({ url, token }, document, variables) => {
  const client = new GraphQLClient(`${url}/graphql`, { headers: headersOf(token), errorPolicy: 'all' })
  const { data, errors } = await client.rawRequest(print(document), variables)
  return { data: data as never, errorPaths: pathsOf(errors) }
}

export const clients = { urql, 'Apollo Client': apollo, Relay: relay, 'graphql-request': graphqlRequest }
