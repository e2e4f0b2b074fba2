import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { baselineFile, baselineText, currentContract, incompatibilities, readOpenApiBaseline } from '../../build/openapi-baseline.ts'

test('the REST API offers everything that it offered in the last release', () => {
  expect(incompatibilities(readOpenApiBaseline(), currentContract())).toEqual([])
})

test('the baseline is written in the format of the repository', async () => {
  expect(await baselineText(readOpenApiBaseline())).toBe(readFileSync(baselineFile, 'utf8'))
})

describe('compared with the last release', () => {
  const contract = {
    paths: {
      '/v1/teams': {
        get: {
          parameters: [{ name: 'page', in: 'query', required: false, schema: { type: 'integer', enum: [1, 2] } }],
          requestBody: { schema: { properties: { name: { type: 'string' } }, required: ['name'] } },
          responses: { '200': { properties: { slug: { type: 'string' } } } },
        },
      },
    },
  }
  type Contract = typeof contract
  const changed = (change: (copy: Contract['paths']['/v1/teams']['get']) => unknown) => {
    const copy = structuredClone(contract)
    change(copy.paths['/v1/teams'].get)
    return incompatibilities(contract, copy)
  }

  test.each<[string, Parameters<typeof changed>[0]]>([
    ['a removed member of a response', ({ responses }) => Reflect.deleteProperty(responses[200].properties, 'slug')],
    ['another type', ({ responses }) => Object.assign(responses[200].properties.slug, { type: 'integer' })],
    ['a removed parameter', ({ parameters }) => parameters.pop()],
    ['a removed value', ({ parameters }) => parameters[0]?.schema.enum.pop()],
    [
      'a new required parameter',
      ({ parameters }) => parameters.push({ name: 'x', in: 'query', required: true, schema: { type: 'integer', enum: [] } }),
    ],
    ['a newly required member of a request', ({ requestBody }) => requestBody.schema.required.push('other')],
  ])('%s is reported', (_, change) => {
    expect(changed(change)).toHaveLength(1)
  })

  test('a new required member of the request of a webhook is compatible, and a removed one is reported', () => {
    const webhooks = (required: string[]) => ({ webhooks: { 'team.updated': { post: { requestBody: { schema: { required } } } } } })
    expect(incompatibilities(webhooks(['id']), webhooks(['id', 'data']))).toEqual([])
    expect(incompatibilities(webhooks(['id', 'data']), webhooks(['id']))).toHaveLength(1)
  })

  test('alternatives that became components are compatible, and a removed member of one is reported', () => {
    const baseline = { data: { anyOf: [{ properties: { a: { type: 'string' }, b: { type: 'string' } } }, { type: 'null' }] } }
    const compare = (A: object) => {
      const data = { anyOf: [{ $ref: '#/A' }, { type: 'null' }] }
      return incompatibilities(baseline, { data: { $ref: '#/Data' }, Data: data, A })
    }
    expect(compare({ properties: { a: { type: 'string' }, b: { type: 'string', format: 'date' } } })).toEqual([])
    expect(compare({ properties: { a: { type: 'string' } } })).toEqual(['/data/anyOf/0/properties/b is missing'])
  })

  test.each<[string, Parameters<typeof changed>[0]]>([
    ['a new member of a response', ({ responses }) => Object.assign(responses[200].properties, { name: { type: 'string' } })],
    [
      'a new optional parameter',
      ({ parameters }) => parameters.push({ name: 'x', in: 'query', required: false, schema: { type: 'integer', enum: [] } }),
    ],
  ])('%s is compatible', (_, change) => {
    expect(changed(change)).toEqual([])
  })
})
