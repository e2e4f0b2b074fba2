import { describe, expect, test } from 'vitest'
import { accountExistsMail, changeEmailMail, resetPasswordMail, verifyEmailMail } from '../../src/mail/templates/account-mails.ts'
import { renderMail } from '../../src/mail/templates/mail-layout.ts'
import { refreshTokenReuseMail } from '../../src/mail/templates/refresh-token-reuse.ts'
import { teamDeletedMail } from '../../src/mail/templates/team-deleted.ts'
import { tokenExpiresMail } from '../../src/mail/templates/token-expires.ts'
import { brand, footerOf } from '../support/mail/brand.ts'

const email = 'ada@example.test'
const link = 'https://accounts.example/links/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ'
const at = new Date('2026-11-28T08:30:00Z')
const restorableUntil = new Date('2026-12-12T08:30:00Z')
const data = { email, account: 'old@example.test', product: brand.name, link, expiresAt: at }

const applications = 'https://accounts.example/applications'
const deletedTeams = 'https://accounts.example/account/deleted-teams'

const expiry = 'The link expires on 28 Nov 2026, 08:30 UTC and can be used once. Do not share it.'
const unrequested = 'If you did not request this, you can ignore this email.'

/** For each mail: its content, its subject, the URL that it links to, the paragraphs of its plain text, and why it is sent. */
const mails = {
  'verify-email': [
    verifyEmailMail.buildContent(data),
    'Verify your email address',
    link,
    [
      `An account was created with the email address ${email}. Verify it to create and join teams. In the browser in which you signed up, the link also signs you in.`,
      'Verify your email address here:',
      link,
      expiry,
      'If you did not create this account, you can ignore this email. The email address then stays unverified.',
    ],
    'someone created an account at Acme Cloud with your email address',
  ],
  'account-exists': [
    accountExistsMail.buildContent(data),
    'You already have an account',
    link,
    [
      `Someone tried to create an account with the email address ${email}, which already has one. Nothing was changed. You can sign in with your password.`,
      'If you forgot your password, choose a new one here:',
      link,
      expiry,
      unrequested,
    ],
    'someone tried to create an account at Acme Cloud with your email address',
  ],
  'reset-password': [
    resetPasswordMail.buildContent(data),
    'Choose a new password',
    link,
    [`Someone requested a new password for the account ${email}.`, 'Choose a new password here:', link, expiry, unrequested],
    'a new password was requested for your account at Acme Cloud',
  ],
  'change-email': [
    changeEmailMail.buildContent(data),
    'Confirm your new email address',
    link,
    [
      `Someone requested to change the email address of the account old@example.test to ${email}.`,
      'Confirm the new email address here:',
      link,
      expiry,
      unrequested,
    ],
    'someone entered your email address as the new email address of an account at Acme Cloud',
  ],
  'refresh-token-reuse': [
    refreshTokenReuseMail.buildContent({ application: 'Ledger', team: 'Acme', at, applications }),
    'Acme: Ledger was signed out of your account',
    applications,
    [
      'The app “Ledger” used an old sign-in token a second time on 28 Nov 2026, 08:30 UTC. Someone else may have copied the token.',
      'To protect your account, we ended this connection of the app to the team “Acme”. Its connections on other devices are not affected.',
      'To keep using the app on this device, sign in to it again.',
      'If you no longer use the app, or think that someone else has access to your device, revoke its access:',
      applications,
      'If this happens often, contact the provider of the app.',
    ],
    'the app is connected to your account',
  ],
  'team-deleted': [
    teamDeletedMail.buildContent({ actor: 'Bob', team: 'Acme', slug: 'acme', deletedAt: at, restorableUntil, deletedTeams }),
    'Acme: team deleted',
    deletedTeams,
    [
      'Bob deleted the team “Acme” (acme) on 28 Nov 2026, 08:30 UTC.',
      'Its members no longer have access. Its tokens and connected apps stopped working, and pending invitations were revoked.',
      'An owner can restore the team, with its members, tokens and connected apps, until 12 Dec 2026, 08:30 UTC. After that it is permanently deleted. Only its invoices are kept, as the law requires.',
      'Restore the team:',
      deletedTeams,
      'If you expected this, you can ignore this email.',
    ],
    'you are an owner of the team “Acme”',
  ],
  'token-expires': [
    tokenExpiresMail.buildContent({ name: 'CI', team: 'Acme', expiresAt: at, address: 'https://accounts.example/teams/acme/tokens/1' }),
    'Acme: token CI expires on 28 Nov 2026',
    'https://accounts.example/teams/acme/tokens/1',
    [
      'The token “CI” of the team “Acme” expires on 28 Nov 2026, 08:30 UTC. Everything that uses it stops working then.',
      'If you still need it, create a new token and use it in place of this one before then.',
      'View the token:',
      'https://accounts.example/teams/acme/tokens/1',
      'If you no longer need the token, you can ignore this email.',
    ],
    'you are an owner of the team “Acme”',
  ],
} as const

/** The text of the HTML as clients show it. */
const textOf = (html: string) =>
  html
    .replace(/<\/?(?:bdi|strong)>/g, '')
    .replace(/<(title|style)>.*?<\/\1>|<[^>]+>/gs, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')

describe.each(Object.entries(mails))('the %s mail', (_, [content, title, url, paragraphs, reason]) => {
  const { subject, text, html } = renderMail(content, brand, 'Ada')

  test('has the same content in plain text and in HTML', () => {
    expect([subject, /<title>(.*?)<\/title>/.exec(html)?.[1]]).toEqual([title, title])
    expect(text).toBe(`${['Hello Ada,', ...paragraphs, footerOf(reason)].join('\n\n')}\n`)
    const shown = textOf(html)
    for (const paragraph of [
      'Hello Ada,',
      ...paragraphs,
      `You received this email because ${reason}.`,
      'Acme Ltd, 1 Main Street, Springfield',
    ])
      expect(shown).toContain(paragraph)
  })

  test('links to one URL besides the footer and loads no external resources', () => {
    const htmlUrls = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, htmlUrl]) => htmlUrl)
    expect(htmlUrls).toEqual([url, url, `mailto:${brand.support}`, brand.termsUrl, brand.privacyUrl])
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=/i)
  })
})

test('the names in a mail cannot add lines or markup', () => {
  const name = '<b>A\r\nBcc: x\u202E'
  const content = teamDeletedMail.buildContent({ actor: name, team: name, slug: 'acme', deletedAt: at, restorableUntil, deletedTeams })
  const { subject, text, html } = renderMail(content, { ...brand, name: '<b>Brand</b>' }, name)
  expect([subject, text, html].join('')).not.toMatch(/\r|\nBcc|\u202E/)
  expect(html).not.toContain('<b>')
  expect(text).toContain('28 Nov 2026, 08:30 UTC')
})

describe('the brand in a mail', () => {
  const content = mails['token-expires'][0]

  test('is the name and, without a logo, its first letter on the colour, in dark mode in a lighter shade', () => {
    const { html } = renderMail(content, { ...brand, color: '#002244' }, null)
    expect(html).toContain('<meta name="color-scheme" content="light dark"')
    expect(html).toMatch(/background:#002244[^>]*>A<\/span/)
    expect(html).toMatch(/@media \(prefers-color-scheme: dark\) \{[^<]*\.button\s*\{\s*background: (?!#002244)#[\da-f]{6} !important/)
    expect(textOf(html)).toContain('Hello,')
  })

  test('is the logo if that is a PNG; few clients show SVG', () => {
    const body = Buffer.from('image')
    const png = renderMail(content, { ...brand, logo: { type: 'png', body } }, null)
    expect([png.logo, png.html.includes('src="cid:logo"')]).toEqual([body, true])
    const svg = renderMail(content, { ...brand, logo: { type: 'svg', body } }, null)
    expect([svg.logo, svg.html.includes('<img')]).toEqual([undefined, false])
  })

  test('does not repeat the name of the company, and leaves out what is not set', () => {
    const { text } = renderMail(
      content,
      { ...brand, legalName: brand.name, address: [], support: undefined, termsUrl: undefined, privacyUrl: undefined },
      null,
    )
    expect(text).toMatch(/\n-- \nAcme Cloud\nYou received this email because you are an owner of the team “Acme”\.\n$/)
  })
})
