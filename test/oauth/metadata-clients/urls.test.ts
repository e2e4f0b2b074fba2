import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { brokenUrlRule } from '../../../schema/core/outgoing/url-rules.ts'
import { isMetadataUrl } from '../../../schema/oauth/metadata-clients/client-url.ts'
import { Browser } from '../../support/browser/browser.ts'
import { authorizationUrl } from '../../support/oauth/oauth.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()

describe('the URL of a client', () => {
  const outgoing = { brokenRule: (url: string) => brokenUrlRule(url, new Set(['localhost'])) }
  test.each([
    'https://app.example.com/client.json',
    'https://app.example.com/oauth/client',
    'https://app.example.com:8443/client',
    'http://localhost:8080/client',
    'https://xn--mnchen-3ya.example.com/%C3%A9',
  ])('can be %s', (url) => expect(isMetadataUrl(outgoing, url)).toBe(true))

  const refused = [
    'http://app.example.com/client',
    'https://app.example.com',
    'https://app.example.com/',
    'https://app.example.com/client?v=1',
    'https://app.example.com/client?',
    'https://app.example.com/client#a',
    'https://app.example.com/client#',
    'https://user@app.example.com/client',
    'https://user:pass@app.example.com/client',
    'https://app.example.com/a/../client',
    'https://app.example.com/a/./client',
    'https://app.example.com/a/%2e%2e/client',
    'https://app.example.com/client/..',
    'https://App.example.com/client',
    'https://app.example.com:443/client',
    'https://app.example.com:22/client',
    'https://app.example.com./client',
    'https://app.example.com\\client',
    'https:app.example.com/client',
    ' https://app.example.com/client',
    'https://app.example.com/client\n',
    'https://app.example.com/cli ent',
    'https://münchen.example.com/client',
    'https://93.184.216.34/client',
    'https://0x7f.1/client',
    'https://[2606:2800:220:1:248:1893:25c8:1946]/client',
    'https://intranet/client',
    'https://printer.local/client',
    'https://169.254.169.254/client',
    `https://app.example.com/${'a'.repeat(240)}`,
    'ftp://app.example.com/client',
    'com.example.app:/client',
    'javascript:alert(1)//x',
  ]
  test.each(refused)('cannot be %j', (url) => expect(isMetadataUrl(outgoing, url)).toBe(false))

  test.each(refused.filter((url) => /^https?:/.test(url)))('%j gets the response to an unknown client', async (clientId) => {
    const page = await new Browser(service.url).open(authorizationUrl(service, { clientId, redirectUri: 'http://127.0.0.1/callback' }).url)
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('invalid_client: client is invalid')])
  })

  test('is never more than one text', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true, validSchemes: ['https', 'http'] }), (url) => {
        if (!isMetadataUrl(outgoing, url)) return
        expect([new URL(url).href, new URL(url).search, new URL(url).hash, url.split('/')[2]?.split(':')[0]]).toEqual([
          url,
          '',
          '',
          new URL(url).hostname,
        ])
      }),
      { numRuns: 1000 },
    )
  })
})
