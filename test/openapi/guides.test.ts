import { expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { statusByCode } from '../../rest-facade/http/problem.ts'
import { listPrograms, readPrograms, readSamples } from '../../rest-facade/openapi/samples.ts'
import { oauthScopes } from '../../schema/core/scopes.ts'

const publicUrl = 'https://account.acme.test'
const { info, components } = openApiDocument({ publicUrl })
const sections = new Map(
  info.description
    .split(/^## /m)
    .slice(1)
    .map((text) => [text.slice(0, text.indexOf('\n')), text]),
)
const rowsOf = (name: string) =>
  (sections.get(name) ?? '').split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2, -2).split(' | ')] : []))

test('the OpenAPI document contains the guides, without an unfilled placeholder', () => {
  expect([...sections.keys()]).toEqual([
    'Authentication',
    'Call the API from a service',
    'Call the API from CI without a stored secret',
    'Scopes',
    'Errors',
    'Paging',
    'Rotate a token from a script',
    'Webhooks',
    'Connect an agent',
  ])
  expect(info.description).not.toMatch(/\{\{|undefined/)
  expect(sections.get('Authentication')).toContain(`${publicUrl}/login/oauth/authorize`)
  expect(sections.get('Authentication')).toContain('`pat_…`')
})

test('the guide on scopes has a row for each scope, with the operations that accept it', () => {
  const rows = rowsOf('Scopes').slice(2)
  expect(rows.map(([scope]) => scope)).toEqual(oauthScopes.map((scope) => `\`${scope}\``))
  expect(rows.find(([scope]) => scope === '`acct:team:invoices:read`')?.[2]).toBe('List invoices, Show an invoice')
})

test('the guide on errors has a row for each error that a response contains', () => {
  const documented = rowsOf('Errors')
    .slice(2)
    .map(([status, code]): [string, number] => [code?.replaceAll('`', '') ?? '', Number(status)])
  const inResponses = Object.values(components.responses).flatMap(({ content }) =>
    Object.keys(content?.['application/json']?.examples ?? {}),
  )
  expect(documented.map(([code]) => code).toSorted()).toEqual(inResponses.toSorted())
  const known = documented.filter(([code]) => code in statusByCode)
  expect(known.length).toBeGreaterThan(8)
  expect(known).toEqual(known.map(([code]) => Object.entries(statusByCode).find(([name]) => name === code)))
})

test('the guide on errors shows a body as the service sends it', () => {
  const [, example = ''] = /```json\n([^]*?)```/.exec(sections.get('Errors') ?? '') ?? []
  expect(JSON.parse(example)).toMatchObject({ code: 'validation_failed', errors: expect.any(Object), request_id: expect.any(String) })
})

test('the guide on webhooks contains the programs that a test runs', () => {
  const samples = readSamples()
  expect(samples.map(({ code }) => sections.get('Webhooks')?.includes(`\n${code}\n`))).toEqual([true, true, true, true])
})

test('the guide on paging contains the programs that a test runs', () => {
  expect(readPrograms(listPrograms).filter(({ code }) => !sections.get('Paging')?.includes(`\n${code}\n`))).toEqual([])
  expect(listPrograms).toHaveLength(6)
})
