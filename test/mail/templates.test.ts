import { describe, expect, test } from 'vitest'
import { accountExistsMail } from '../../src/mail/templates/account-exists.ts'
import { changeEmailMail } from '../../src/mail/templates/change-email.ts'
import { refreshTokenReuseMail } from '../../src/mail/templates/refresh-token-reuse.ts'
import { resetPasswordMail } from '../../src/mail/templates/reset-password.ts'
import { teamDeletedMail } from '../../src/mail/templates/team-deleted.ts'
import { tokenExpiresMail } from '../../src/mail/templates/token-expires.ts'
import { verifyEmailMail } from '../../src/mail/templates/verify-email.ts'

const email = 'ada@example.test'
const link = 'https://accounts.example/links/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ'
const at = new Date('2026-11-28T08:30:00Z')
const data = { email, account: 'old@example.test', link, expiresAt: at }

const applications = 'https://accounts.example/applications'

const expiry = 'The link works until 28 Nov 2026, 08:30 UTC.'
const linkNotice = 'The link works once. Do not share it.'
const unrequestedNotice = 'If you did not request this email, you can ignore it.'

/** For each mail: the rendered mail, its subject, the URL that it links to and the paragraphs of its plain text. */
const mails = {
  'verify-email': [
    verifyEmailMail.render(data),
    'Verify your email address',
    link,
    [
      `An account was created with the address ${email}. Verify your address to create and join teams.`,
      'Verify your email address here:',
      link,
      expiry,
      `If you did not create this account, you can ignore this email: the address then stays unverified. ${linkNotice}`,
    ],
  ],
  'account-exists': [
    accountExistsMail.render(data),
    'You already have an account',
    link,
    [
      `Someone tried to create an account with the address ${email}, which already has one. Nothing was changed: sign in with your password.`,
      'If you do not know your password, choose a new one here:',
      link,
      expiry,
      `${unrequestedNotice} ${linkNotice}`,
    ],
  ],
  'reset-password': [
    resetPasswordMail.render(data),
    'Choose a new password',
    link,
    [
      `Someone requested a new password for the account with the address ${email}.`,
      'Choose it here:',
      link,
      expiry,
      `${unrequestedNotice} ${linkNotice}`,
    ],
  ],
  'change-email': [
    changeEmailMail.render(data),
    'Confirm your new email address',
    link,
    [
      `The account with the address old@example.test requested to change its address to ${email}.`,
      'Confirm the new address here:',
      link,
      expiry,
      `${unrequestedNotice} ${linkNotice}`,
    ],
  ],
  'refresh-token-reuse': [
    refreshTokenReuseMail.render({ application: 'Ledger', team: 'Acme', at, applications }),
    'Ledger was signed out of your account',
    applications,
    [
      'The application Ledger used an old sign-in token a second time on 28 Nov 2026, 08:30 UTC. This can mean that somebody has copied the token.',
      'We have therefore ended this connection of the application to the team Acme. Its connections on other devices continue to work.',
      'To continue to use the application on this device, sign in to it again.',
      'If you no longer use the application, or suspect that somebody else has access to your device, revoke its access here:',
      applications,
      'If this happens again and again, please inform the provider of the application.',
    ],
  ],
  'team-deleted': [
    teamDeletedMail.render({ actor: 'Bob', team: 'Acme', slug: 'acme', deletedAt: at }),
    'The team Acme was deleted',
    null,
    [
      'Bob deleted the team Acme (acme) on 28 Nov 2026, 08:30 UTC.',
      'Its members can no longer open it. Its access tokens and the applications that were connected to it no longer work, and open invitations are revoked.',
      'Until 12 Dec 2026, 08:30 UTC an owner can restore the team, with its members, tokens and connected apps: open Your account, then Deleted teams. If you cannot sign in, contact those who run this service and name the team’s slug: acme',
      'After that day the team is erased for good; only its invoices are kept, as the law requires.',
      'You receive this mail because you are an owner of the team. If the deletion was intended, there is nothing to do.',
    ],
  ],
  'token-expires': [
    tokenExpiresMail.render({ name: 'CI', team: 'Acme', expiresAt: at, address: 'https://accounts.example/teams/acme/tokens/1' }),
    'The token CI expires soon',
    'https://accounts.example/teams/acme/tokens/1',
    [
      'The token CI of the team Acme expires on 28 Nov 2026, 08:30 UTC. Everything that uses it stops working then.',
      'If it is still needed, create a new token and replace the old one before that day.',
      'Review the token here:',
      'https://accounts.example/teams/acme/tokens/1',
      'You receive this mail because you are an owner of the team.',
    ],
  ],
} as const

describe.each(Object.entries(mails))('the %s mail', (_, [{ subject, text, html }, title, url, paragraphs]) => {
  test('has the same content in plain text and in HTML', () => {
    expect([subject, /<title>(.*?)<\/title>/.exec(html)?.[1]]).toEqual([title, title])
    expect(text).toBe(`${['Hello,', ...paragraphs].join('\n\n')}\n`)
    const htmlText = html.replace(/<title>.*?<\/title>|<[^>]+>/gs, ' ')
    const normalize = (value: string) => value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replace(/\s+/g, ' ')
    // In HTML, a button with a label of its own replaces the paragraph that introduces the link.
    for (const paragraph of paragraphs.filter((candidate) => !candidate.endsWith(':'))) expect(normalize(htmlText)).toContain(paragraph)
  })

  test('links to one URL and loads no external resources', () => {
    const htmlUrls = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, htmlUrl]) => htmlUrl)
    expect([...htmlUrls, ...(text.match(/https?:\S+/g) ?? [])]).toEqual(url ? [url, url, url] : [])
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=/i)
  })
})

test('the names in the team-deleted mail cannot add lines or markup', () => {
  const name = '<b>A\r\nBcc: x\u202E'
  const { subject, text, html } = teamDeletedMail.render({
    actor: name,
    team: name,
    slug: 'acme',
    deletedAt: at,
  })
  expect([subject, text, html].join('')).not.toMatch(/\r|\nBcc|\u202E/)
  expect(html).not.toContain('<b>')
  expect(text).toContain('28 Nov 2026, 08:30 UTC')
})
