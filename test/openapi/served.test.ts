import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { toOpenApi30 } from '../../rest-facade/openapi/openapi-30.ts'
import { buildPostmanCollection } from '../../rest-facade/openapi/postman-collection.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)
const document = openApiDocument({ publicUrl: service.url })

describe.each([
  ['/api/openapi.json', document],
  ['/api/openapi-3.0.json', toOpenApi30(document)],
  ['/api/postman.json', buildPostmanCollection(document)],
])('GET %s', (path, expected) => {
  test('returns the document of this service without a credential', async () => {
    const { status, headers, body } = await request(service, 'GET', path)
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(expected))])
    expect(body.info.version).toBe('1.0.0')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(headers.get('x-request-id')).toEqual(uuid)
  })

  test('returns 304 for a matching ETag', async () => {
    const { headers } = await request(service, 'HEAD', path)
    // Without Cache-Control, fetch sends no-cache with a conditional request. A browser sends max-age=0 on reload.
    for (const cacheControl of ['no-cache', 'max-age=0']) {
      const conditionalHeaders = { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': cacheControl }
      const again = await request(service, 'GET', path, { headers: conditionalHeaders })
      expect([again.status, again.body]).toEqual([304, null])
    }
  })

  test('responds to other methods with 405', async () => {
    const { status, headers, body } = await request(service, 'POST', path)
    expect([status, headers.get('allow'), body]).toEqual([
      405,
      'GET, HEAD',
      { message: 'Method Not Allowed.', code: 'method_not_allowed', request_id: uuid },
    ])
  })
})
