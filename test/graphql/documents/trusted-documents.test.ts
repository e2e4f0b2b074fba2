import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeTrustedDocuments } from '../../../build/trusted-documents.ts'
import { readTrustedDocuments } from '../../../src/graphql/documents/trusted-documents.ts'
import { useService } from '../../support/service/service.ts'
import { createOwnedTeam } from '../../support/data/team.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'trusted-documents-'))
const write = (name: string, text: string) => {
  writeFileSync(path.join(folder, name), text)
  return path.join(folder, name)
}
const files = [
  write('operations.graphql', 'query Kind { viewer { ...Caller } } query Slugs { teams { slug } }'),
  write('fragments.graphql', 'fragment Caller on Viewer { kind }'),
]
const manifest = path.join(folder, 'manifest.json')
const [kind, slugs] = writeTrustedDocuments(manifest, files)
if (!kind || !slugs) throw new Error('the manifest has two documents')

const service = useService({ trustedDocuments: manifest })
let token: string
beforeAll(async () => {
  ;({ token } = await createOwnedTeam(service.database, { slug: 'acme' }))
})
async function send(body: unknown) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const response = await fetch(`${service.url}/graphql`, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, body: await response.json() }
}

describe('a service with trusted documents', () => {
  const answer = { status: 200, body: { data: { viewer: { kind: 'PERSONAL_TOKEN' } } } }
  test.each([
    ['by documentId', { documentId: kind.id }],
    ['by documentId with the name of the algorithm', { documentId: `sha256:${kind.id}` }],
    ['by the hash that clients of Apollo send', { extensions: { persistedQuery: { version: 1, sha256Hash: kind.id } } }],
    ['by its text', { query: kind.body, operationName: 'Kind' }],
  ])('executes a document of the manifest %s', async (_, parameters) => {
    for (let i = 0; i < 5; i++) expect(await send(parameters)).toMatchObject(answer)
  })

  test('executes documents of the manifest in a batch and by GET', async () => {
    expect((await send([{ documentId: kind.id }, { documentId: slugs.id }])).body).toMatchObject([
      answer.body,
      { data: { teams: [{ slug: 'acme' }] } },
    ])
    const response = await fetch(`${service.url}/graphql?documentId=${kind.id}`, { headers: { Authorization: `Bearer ${token}` } })
    expect(await response.json()).toMatchObject(answer.body)
  })

  test.each([
    ['another document', { query: '{ viewer { kind } }' }],
    ['introspection', { query: '{ __schema { types { name } } }' }],
    ['an unknown hash', { extensions: { persistedQuery: { version: 1, sha256Hash: '0'.repeat(64) } } }],
    ['an unknown identifier', { documentId: 'unknown' }],
  ])('refuses %s', async (_, parameters) => {
    const { status, body } = await send(parameters)
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'persisted_query_not_in_list'])
    expect((await send(parameters)).status).toBe(400)
  })

  test('does not serve GraphiQL, and still serves the schema and REST', async () => {
    const statusOf = async (url: string, headers = {}) => (await fetch(service.url + url, { headers })).status
    expect(await statusOf('/graphql', { Accept: 'text/html' })).toBe(401)
    expect(await statusOf('/graphql/start.js')).toBe(404)
    expect(await statusOf('/graphql/schema.graphql')).toBe(200)
    expect(await statusOf('/api/v1/teams/acme', { Authorization: `Bearer ${token}` })).toBe(200)
  })
})

describe('a manifest of trusted documents', () => {
  test('has one document for each operation, with the fragments that it uses', () => {
    expect([kind, slugs].map(({ name, type, body }) => [name, type, body])).toEqual([
      ['Kind', 'query', 'query Kind {\n  viewer {\n    ...Caller\n  }\n}\n\nfragment Caller on Viewer {\n  kind\n}'],
      ['Slugs', 'query', 'query Slugs {\n  teams {\n    slug\n  }\n}'],
    ])
    expect(JSON.parse(readFileSync(manifest, 'utf8'))).toMatchObject({ format: 'apollo-persisted-query-manifest', version: 1 })
  })

  test('may be an object of documents by identifier, as Relay and GraphQL Code Generator write it', () => {
    const known = readTrustedDocuments(write('relay.json', JSON.stringify({ abc: kind.body })))
    expect([known.getSource('abc'), known.getSource(kind.id), known.allows(kind.body), known.allows(slugs.body)]).toEqual([
      kind.body,
      kind.body,
      true,
      false,
    ])
  })

  test.each([
    ['is missing', null, 'it cannot be read'],
    ['is no JSON', '{', 'it is not valid JSON'],
    ['has another form', '[1]', 'it is neither a manifest of Apollo nor an object of documents by identifier'],
    [
      'has a document under the hash of another',
      JSON.stringify({ [slugs.id]: kind.body }),
      `the document ${slugs.id} has the SHA-256 ${kind.id}`,
    ],
    ['has a document that does not parse', '{"a":"{"}', 'the document a is invalid: Syntax Error: Expected Name, found <EOF>.'],
    [
      'has a field that the schema lacks',
      '{"a":"{ nothing }"}',
      'the document a is invalid: Cannot query field "nothing" on type "Query".',
    ],
  ])('that %s is refused with an error that names the setting and the file', (name, text, reason) => {
    const file = text === null ? path.join(folder, 'missing.json') : write(`${name}.json`, text)
    expect(() => readTrustedDocuments(file)).toThrow(`TRUSTED_DOCUMENTS ${file}: ${reason}`)
  })
})
