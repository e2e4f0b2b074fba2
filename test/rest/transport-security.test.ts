import { expect, test } from 'vitest'
import { withoutInteraction } from '../../src/oidc/endpoints.ts'
import { Browser } from '../support/browser/browser.ts'
import { authorizationUrl, createClient } from '../support/oauth/oauth.ts'
import { useService } from '../support/service/service.ts'

const overHttps = useService({ authUrl: 'https://accounts.example', trustProxy: true })
const overHttp = useService()

const paths = [
  '/',
  '/sign-in',
  '/api/v1/teams',
  '/api/docs',
  '/graphql',
  '/.well-known/openid-configuration',
  '/api/oauth/token',
  '/none',
  '/%',
  '/links/x',
]

test.each(paths)('%s makes browsers use https if AUTH_URL does, and only then', async (path) => {
  const headers = { 'x-forwarded-host': 'accounts.example', 'x-forwarded-proto': 'https' }
  const fieldOf = async (url: string, fields = {}) =>
    (await fetch(url + path, { headers: fields, redirect: 'manual' })).headers.get('strict-transport-security')
  expect(await fieldOf(overHttps.url, headers)).toBe('max-age=31536000')
  // Refused with 421: the host is not that of AUTH_URL.
  expect(await fieldOf(overHttps.url)).toBe('max-age=31536000')
  expect(await fieldOf(overHttp.url)).toBeNull()
})

test('paths of interactions are logged without their identifier', async () => {
  const client = await createClient(overHttp.database)
  const response = await fetch(authorizationUrl(overHttp, client).url, { redirect: 'manual' })
  const interaction = response.headers.get('location') ?? ''
  const uid = interaction.split('/').at(-1) ?? ''
  expect(uid.length).toBeGreaterThan(10)
  expect(withoutInteraction(new URL(interaction, overHttp.url).pathname)).toBe('/login/oauth/interaction/…')
  const page = await new Browser(overHttp.url).open(authorizationUrl(overHttp, client).url)
  expect(withoutInteraction(page.url.pathname)).toBe('/sign-in')
  expect(withoutInteraction(`/login/oauth/interaction/${uid}/consent`)).toBe('/login/oauth/interaction/…/consent')
  expect(withoutInteraction(`/login/oauth/authorize/${uid}`)).toBe('/login/oauth/authorize/…')
  expect(withoutInteraction(`/login/device/${uid}`)).toBe('/login/device/…')
  expect(withoutInteraction('/login/oauth/authorize')).toBe('/login/oauth/authorize')
})
