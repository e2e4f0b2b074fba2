import { expect, test } from 'vitest'
import { redirectPath } from '../../rest-facade/openapi/documentation-client.ts'
import { Browser } from '../support/browser/browser.ts'
import { request } from '../support/http/request.ts'
import { useService } from '../support/service/service.ts'

const service = useService({ flowBaseUrl: 'https://flow.example/api/v1' })
const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/)

const policy = (url: string) =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; ` +
  `connect-src 'self' ${url} https://flow.example; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

test.each(['/api/docs', redirectPath])('%s is a page without inline scripts, for which only this service is trusted', async (path) => {
  const { status, headers, root } = await new Browser(service.url).open(path)
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([200, 'text/html; charset=utf-8', 'no-store'])
  expect(headers.get('content-security-policy')).toBe(policy(service.url))
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(root.querySelectorAll('script:not([src]), style, [style]')).toEqual([])
  const preloaded = root.querySelectorAll('link[rel$=preload]').map((link) => link.getAttribute('href'))
  expect(preloaded).toEqual(path === '/api/docs' ? [expect.stringMatching(/\/standalone\.js$/), '/api/openapi.json'] : [])
  for (const each of root.querySelectorAll('script, link:not([rel$=preload])'))
    expect(each.getAttribute('src') ?? each.getAttribute('href')).toMatch(/^\/assets\/[0-9a-f]{16}\.(js|css|svg)$/)
  expect(root.querySelectorAll('script').length).toBe(1)
})

test('the library is served compressed, and browsers may keep it forever', async () => {
  const { root } = await new Browser(service.url).open('/api/docs')
  const { libraryPath } = JSON.parse(root.querySelector('html')?.getAttribute('data-settings') ?? '{}')
  expect(libraryPath).toMatch(/^\/api\/docs\/[0-9a-f]{16}\/standalone\.js$/)
  const response = await fetch(service.url + libraryPath, { headers: { 'Accept-Encoding': 'br' } })
  const fields = ['content-type', 'content-encoding', 'cache-control', 'vary', 'x-content-type-options']
  expect([response.status, ...fields.map((name) => response.headers.get(name))]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'br',
    'public, max-age=31536000, immutable',
    'Accept-Encoding',
    'nosniff',
  ])
  const text = await response.text()
  expect(text).not.toContain('sourceMappingURL')
  const folder = service.url + libraryPath.replace('standalone.js', '')
  for (const name of ['', '.made-from', '..%2fmain.js', '%2e%2e/main.js', '../main.js'])
    expect([name, (await fetch(folder + name)).status]).toEqual([name, 404])
})

test('the pages respond to other methods with 405', async () => {
  for (const path of ['/api/docs', redirectPath]) {
    const { status, headers, body } = await request(service, 'POST', path)
    expect([status, headers.get('allow'), body]).toEqual([
      405,
      'GET, HEAD',
      { message: 'Method Not Allowed.', code: 'method_not_allowed', request_id: uuid },
    ])
    expect((await request(service, 'HEAD', path)).status).toBe(200)
  }
  expect((await request(service, 'GET', '/api/docs/')).status).toBe(404)
})

test('without JavaScript the page links to the OpenAPI document', async () => {
  const { root } = await new Browser(service.url).open('/api/docs')
  expect(root.querySelector('noscript')?.innerHTML).toContain('<a href="/api/openapi.json">')
  expect(root.querySelectorAll('nav a').map((link) => link.getAttribute('href'))).toEqual(['/', '/graphiql', '/api/openapi.json'])
})
