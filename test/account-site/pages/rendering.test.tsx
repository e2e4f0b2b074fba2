import { globSync, readFileSync } from 'node:fs'
import { parse } from 'node-html-parser'
import type { HTMLElement } from 'node-html-parser'
import type { VNode } from 'preact'
import { describe, expect, test } from 'vitest'
import { ConsentPage } from '../../../src/oidc/pages/consent.tsx'
import { createAssets } from '../../../src/web/assets.ts'
import { createCsrfTokens, isFromOwnPage } from '../../../src/web/csrf.ts'
import { DeviceCodePage, DeviceConnectedPage, DeviceDeniedPage } from '../../../src/oidc/pages/device.tsx'
import { ErrorPage, expired } from '../../../src/web/error-page.tsx'
import { pageHeaders, renderDocument } from '../../../src/web/send-page.tsx'
import { NotPublishedPage } from '../../../src/oidc/pages/not-published.tsx'
import { SignedOutPage, SignOutPage } from '../../../src/oidc/pages/signed-out.tsx'
import { secretDeriver } from '../../../src/config/secret-key.ts'

// Properties of all pages of the authorization server. Other tests check their texts in a browser.

const hostile = `<script>alert("1")</script>' onfocus='x\u202E`
const hidden = { csrf: hostile }
const account = { email: hostile, switchAction: '/switch', switchHidden: hidden }
const consent = {
  action: '/consent',
  hidden,
  app: { clientId: hostile, name: hostile },
  isByUrl: false,
  clientDescription: hostile,
  clientOrigin: { publisher: hostile, verified: false, clientUri: 'https://app.example/', policyUri: null, tosUri: null },
  returnsTo: hostile,
  required: [hostile],
  optional: [{ value: hostile, label: hostile, allowsChanges: true, isGranted: true }],
  teamsWithoutTwoFactor: [hostile],
  teamsWithoutSignIn: [{ name: hostile, path: '/sign-in/team' }],
  otherTeamsPath: '/confirm/account',
  initialTeam: hostile,
  initialScopes: [hostile],
  userCode: hostile,
  draftTeam: hostile,
  account,
}
const team = { slug: hostile, name: hostile }

const pages: Record<string, VNode> = {
  consent: ConsentPage({
    ...consent,
    teams: [
      { value: hostile, team, isConnected: true },
      { value: '*', team: null, isConnected: false },
    ],
  }),
  'consent without a team': ConsentPage({ ...consent, required: [], optional: [], teams: null, alert: hostile }),
  'consent of a user without a team': ConsentPage({ ...consent, teams: [] }),
  'consent for a client by URL': ConsentPage({
    ...consent,
    draftTeam: null,
    isByUrl: true,
    clientDescription: `${hostile} 2`,
    teams: null,
  }),
  'an app that is not published': NotPublishedPage({ host: null, account }),
  'a client by URL whose host no team allows': NotPublishedPage({ host: hostile, account }),
  'device code': DeviceCodePage({ action: '/device', hidden, userCode: hostile, isFromLink: true, refusal: hostile, email: hostile }),
  'device connected': DeviceConnectedPage({ app: { clientId: hostile, name: hostile } }),
  'device denied': DeviceDeniedPage({ app: { clientId: hostile, name: hostile } }),
  'sign-out': SignOutPage({ action: '/logout', hidden, app: { clientId: hostile, name: hostile }, email: hostile }),
  'signed out': SignedOutPage({ isSignedIn: false }),
  error: ErrorPage({ ...expired, code: hostile, description: hostile }),
}

const { look } = createAssets({ brandName: 'Team accounts', brandColor: '#1d55c4' })

const attributesOf = (root: HTMLElement) => root.querySelectorAll('*').flatMap((element) => Object.keys(element.attributes))

describe.each(Object.entries(pages))('the page %s', (_, page) => {
  const html = renderDocument(look, 'system', page)
  const root = parse(html)

  test('is a document with a language, a title, one heading and one main element', () => {
    expect(html.startsWith('<!doctype html><html lang="en">')).toBe(true)
    expect(root.querySelector('title')?.text).toMatch(/\S · Team accounts$/)
    expect([root.querySelectorAll('h1').length, root.querySelectorAll('main').length, root.querySelectorAll('header').length]).toEqual([
      1, 1, 1,
    ])
  })

  test('has no scripts, no inline styles and one stylesheet', () => {
    expect(root.querySelectorAll('script, style, img, iframe, object, base, [style]')).toEqual([])
    expect(attributesOf(root).filter((name) => /^on/i.test(name))).toEqual([])
    expect(root.querySelectorAll('link[rel=stylesheet]').map((link) => link.getAttribute('href'))).toEqual([
      expect.stringMatching(/^\/assets\/[0-9a-f]{16}\.css$/),
    ])
    expect(root.querySelectorAll('[src]')).toEqual([])
  })

  test('labels every field and refers only to existing ids', () => {
    const ids = root.querySelectorAll('[id]').map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    const labelled = root.querySelectorAll('label').map((label) => label.getAttribute('for'))
    for (const field of root.querySelectorAll('input, select')) {
      if (field.getAttribute('type') !== 'hidden') expect(labelled).toContain(field.getAttribute('id'))
    }
    for (const reference of ['aria-describedby', 'aria-labelledby']) {
      const named = root.querySelectorAll(`[${reference}]`).flatMap((element) => (element.getAttribute(reference) ?? '').split(' '))
      for (const id of named) expect(ids).toContain(id)
    }
  })

  test('shows an error first or at its field and mentions it in the title', () => {
    const alerts = root.querySelectorAll('main > h1 + [role=alert], [aria-invalid] ~ .wrong[role=alert]')
    expect(root.querySelector('title')?.text.startsWith('Error: ')).toBe(alerts.length > 0)
    expect(root.querySelectorAll('[role=alert]').length).toBe(alerts.length)
  })

  test('submits forms with POST only', () => {
    for (const form of root.querySelectorAll('form')) expect(form.getAttribute('method')).toBe('post')
  })
})

describe('the header fields of a page', () => {
  test('forbid everything that the page does not need', () => {
    expect(pageHeaders()).toEqual({
      'Content-Security-Policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'Cache-Control': 'no-store',
    })
  })

  test('do not restrict where forms lead if that can be a client', () => {
    const { 'Content-Security-Policy': policy = '', ...others } = pageHeaders()
    expect(pageHeaders({ leadToClient: true })).toEqual({
      ...others,
      'Content-Security-Policy': policy.replace("form-action 'self'; ", ''),
    })
  })
})

describe('the form protection', () => {
  const own = 'https://accounts.example'

  test.each([
    [{}, true],
    [{ origin: own }, true],
    [{ origin: own, 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'null', 'sec-fetch-site': 'same-origin' }, true],
    [{ origin: 'null' }, false],
    [{ origin: 'null', 'sec-fetch-site': 'same-site' }, false],
    [{ origin: 'null', 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://evil.example' }, false],
    [{ origin: 'http://accounts.example' }, false],
    [{ origin: 'https://accounts.example:444' }, false],
    [{ origin: 'https://x.accounts.example', 'sec-fetch-site': 'same-site' }, false],
    [{ origin: own, 'sec-fetch-site': 'cross-site' }, false],
    [{ 'sec-fetch-site': 'cross-site' }, false],
  ])('accepts the header fields %j: %j', (headers, expected) => {
    expect(isFromOwnPage(headers, own)).toBe(expected)
  })

  test('creates CSRF tokens that are valid for one form only', () => {
    const csrfTokens = createCsrfTokens(secretDeriver('k'.repeat(32)))
    const token = csrfTokens.of('consent', 'one', 'ada')
    expect(token).toMatch(/^[\w-]{43}$/)
    expect(csrfTokens.isValid(token, 'consent', 'one', 'ada')).toBe(true)
    for (const parts of [
      ['consent', 'two', 'ada'],
      ['sign-in', 'one', 'ada'],
      ['consent', 'one', 'ben'],
      ['consent', 'one'],
    ]) {
      expect(csrfTokens.isValid(token, ...parts)).toBe(false)
    }
    for (const forged of ['', 'x', `${token}=`, token.toLowerCase()])
      expect(csrfTokens.isValid(forged, 'consent', 'one', 'ada')).toBe(false)
    expect(createCsrfTokens(secretDeriver('l'.repeat(32))).isValid(token, 'consent', 'one', 'ada')).toBe(false)
  })
})

test('the stylesheet loads no other resource', () => {
  const files = globSync('src/web/styles/*/*.css')
  expect(files.length).toBeGreaterThan(5)
  for (const file of files) expect(readFileSync(file, 'utf8')).not.toMatch(/url\(|@import/)
})
