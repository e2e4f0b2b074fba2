import { readFileSync } from 'node:fs'
import { parse } from 'node-html-parser'
import type { HTMLElement } from 'node-html-parser'
import type { VNode } from 'preact'
import { describe, expect, test } from 'vitest'
import { ConsentPage } from '../../src/account-site/consent.tsx'
import { createSeal, isFromOwnPage } from '../../src/account-site/csrf.ts'
import { DeviceCodePage, DeviceConfirmPage, DeviceConnectedPage, DeviceDeniedPage } from '../../src/account-site/device.tsx'
import { ErrorPage, expired } from '../../src/account-site/error.tsx'
import { pageHeaders } from '../../src/account-site/headers.ts'
import { renderPage } from '../../src/account-site/page.tsx'
import { SignedOutPage, SignOutPage } from '../../src/account-site/signed-out.tsx'
import { secretDeriver } from '../../src/secret-key.ts'

// What holds for every page, whatever it says. What each says is tested where a browser meets it.

const hostile = `<script>alert("1")</script>' onfocus='x\u202E`
const hidden = { csrf: hostile }
const account = { email: hostile, switchAction: '/switch', switchHidden: hidden }
const consent = {
  action: '/consent',
  hidden,
  clientName: hostile,
  clientDescription: hostile,
  returnsTo: hostile,
  required: [hostile],
  optional: [{ scope: hostile, words: hostile, isChecked: true }],
  account,
}
const team = { slug: hostile, name: hostile }

const pages: Record<string, VNode> = {
  consent: ConsentPage({ ...consent, teams: { isRequired: false, options: [team], selected: hostile } }),
  'consent without a team': ConsentPage({ ...consent, required: [], optional: [], teams: null, alert: hostile }),
  'consent of somebody in no team': ConsentPage({ ...consent, teams: { isRequired: true, options: [], selected: '' } }),
  'device code': DeviceCodePage({ action: '/device', hidden, userCode: hostile, alert: hostile }),
  'device confirmation': DeviceConfirmPage({ action: '/device', hidden, clientName: hostile, userCode: hostile }),
  'device connected': DeviceConnectedPage({ clientName: hostile }),
  'device denied': DeviceDeniedPage(),
  'sign-out': SignOutPage({ action: '/logout', hidden, clientName: hostile }),
  'signed out': SignedOutPage({ isSignedIn: false }),
  error: ErrorPage({ ...expired, code: hostile, description: hostile }),
}

const attributesOf = (root: HTMLElement) => root.querySelectorAll('*').flatMap((element) => Object.keys(element.attributes))

describe.each(Object.entries(pages))('the page %s', (_, page) => {
  const html = renderPage(page)
  const root = parse(html)

  test('is a document with language, title, one heading and one main part', () => {
    expect(html.startsWith('<!doctype html><html lang="en">')).toBe(true)
    expect(root.querySelector('title')?.text).toMatch(/\S · Team accounts$/)
    expect([root.querySelectorAll('h1').length, root.querySelectorAll('main').length, root.querySelectorAll('header').length]).toEqual([
      1, 1, 1,
    ])
  })

  test('runs nothing, has no style of its own and loads its stylesheet alone', () => {
    expect(root.querySelectorAll('script, style, img, iframe, object, base, [style]')).toEqual([])
    expect(attributesOf(root).filter((name) => /^on/i.test(name))).toEqual([])
    expect(root.querySelectorAll('link[rel=stylesheet]').map((link) => link.getAttribute('href'))).toEqual([
      expect.stringMatching(/^\/assets\/[0-9a-f]{16}\.css$/),
    ])
    expect(root.querySelectorAll('[src]')).toEqual([])
  })

  test('names every field, and every name it refers to is there once', () => {
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

  test('says first what went wrong, in its title too', () => {
    const alert = root.querySelector('main > h1 + [role=alert]')
    expect(root.querySelector('title')?.text.startsWith('Error: ')).toBe(alert !== null)
    expect(root.querySelectorAll('[role=alert]').length).toBe(alert ? 1 : 0)
  })

  test('sends forms by POST alone', () => {
    for (const form of root.querySelectorAll('form')) expect(form.getAttribute('method')).toBe('post')
  })
})

describe('the header fields of a page', () => {
  const formAction = (uri: string) => /form-action ([^;]*);/.exec(pageHeaders(uri)['Content-Security-Policy'] ?? '')?.[1]

  test('forbid all that it does not need', () => {
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

  test.each([
    ['https://app.example/callback?x=1', "'self' https://app.example"],
    ['http://127.0.0.1:4711/callback', "'self' http://127.0.0.1:4711"],
    ['http://[::1]:4711/callback', "'self' http:"],
    ['com.example.app:/callback', "'self' com.example.app:"],
  ])('let its forms lead to %s', (uri, sources) => {
    expect(formAction(uri)).toBe(sources)
  })
})

describe('a form', () => {
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
  ])('with %j is from a page of ours: %j', (headers, expected) => {
    expect(isFromOwnPage(headers, own)).toBe(expected)
  })

  test('has a seal that fits it alone', () => {
    const seal = createSeal(secretDeriver('k'.repeat(32)))
    const made = seal.of('consent', 'one', 'ada')
    expect(made).toMatch(/^[\w-]{43}$/)
    expect(seal.isRight(made, 'consent', 'one', 'ada')).toBe(true)
    for (const parts of [
      ['consent', 'two', 'ada'],
      ['sign-in', 'one', 'ada'],
      ['consent', 'one', 'ben'],
      ['consent', 'one'],
    ]) {
      expect(seal.isRight(made, ...parts)).toBe(false)
    }
    for (const forged of ['', 'x', `${made}=`, made.toLowerCase()]) expect(seal.isRight(forged, 'consent', 'one', 'ada')).toBe(false)
    expect(createSeal(secretDeriver('l'.repeat(32))).isRight(made, 'consent', 'one', 'ada')).toBe(false)
  })
})

test('the stylesheet fetches nothing', () => {
  expect(readFileSync('src/account-site/style.css', 'utf8')).not.toMatch(/url\(|@import/)
})
