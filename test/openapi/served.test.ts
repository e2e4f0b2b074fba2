import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../rest-facade/openapi/document.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'

const service = useService()
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

describe('GET /api/openapi.json', () => {
  const path = '/api/openapi.json'

  test('returns the document of this service without a credential', async () => {
    const { status, headers, body } = await request(service, 'GET', path)
    expect([status, body]).toEqual([200, JSON.parse(JSON.stringify(openApiDocument({ publicUrl: service.url })))])
    expect([body.openapi, body.info.version]).toEqual(['3.1.0', '1.0.0'])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-cache')
    expect(headers.get('x-request-id')).toEqual(uuid)
  })

  test('returns 304 for a matching ETag', async () => {
    const { headers } = await request(service, 'HEAD', path)
    // Without Cache-Control, fetch sends no-cache with a conditional request. A browser sends max-age=0 on reload.
    const conditionalHeaders = { 'If-None-Match': headers.get('etag') ?? '', 'Cache-Control': 'max-age=0' }
    const again = await request(service, 'GET', path, { headers: conditionalHeaders })
    expect([again.status, again.body]).toEqual([304, null])
  })
})

describe('/api/docs', () => {
  const load = async (path: string, method = 'GET') => {
    const response = await fetch(service.url + path, { method, headers: { 'Accept-Encoding': 'identity' } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  test('is a page whose Content-Security-Policy allows only scripts and styles of the service', async () => {
    const { status, headers, text } = await load('/api/docs')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(headers.get('content-security-policy')).toBe(
      `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self' ${service.url}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    const assetUrls = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)
    expect(assetUrls).toEqual([
      'data:,',
      '/api/docs/swagger-ui.css',
      '/api/docs/page.css',
      '/api/docs/swagger-ui-bundle.js',
      '/api/docs/page.js',
      '/api/openapi.json',
    ])
    expect(text).not.toMatch(/<script(?! src)|<style| on\w+=|style=/)
  })

  test.each([
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['page.js', 'text/javascript; charset=utf-8'],
    ['oauth2-redirect.html', 'text/html; charset=utf-8'],
    ['oauth2-redirect.js', 'text/javascript; charset=utf-8'],
  ])('serves %s with the content type %s', async (name, type) => {
    const { status, headers, text } = await load(`/api/docs/${name}`)
    expect([status, headers.get('content-type'), headers.get('x-content-type-options')]).toEqual([200, type, 'nosniff'])
    expect(Buffer.byteLength(text)).toBe(Number(headers.get('content-length')))
  })

  test('returns 405 for other methods and 404 for other files', async () => {
    for (const path of ['/api/docs', '/api/docs/page.js', '/api/openapi.json']) {
      const { status, headers, body } = await request(service, 'POST', path)
      expect([status, headers.get('allow'), body]).toEqual([
        405,
        'GET, HEAD',
        { message: 'Method Not Allowed.', code: 'method_not_allowed', request_id: uuid },
      ])
      expect(await load(path, 'HEAD')).toMatchObject({ status: 200, text: '' })
    }
    for (const name of ['index.html', 'swagger-ui.js', '..%2f..%2fpackage.json', '%2e%2e/package.json'])
      expect((await load(`/api/docs/${name}`)).status).toBe(404)
  })
})
