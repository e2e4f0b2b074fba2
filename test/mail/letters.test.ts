import { describe, expect, test } from 'vitest'
import { accountExistsMail } from '../../src/mail/account-exists.ts'
import { changeEmailMail } from '../../src/mail/change-email.ts'
import { emailChangedMail } from '../../src/mail/email-changed.ts'
import { passwordChangedMail } from '../../src/mail/password-changed.ts'
import { resetPasswordMail } from '../../src/mail/reset-password.ts'
import { secondFactorOffMail } from '../../src/mail/second-factor-off.ts'
import { verifyEmailMail } from '../../src/mail/verify-email.ts'

const email = 'ada@example.test'
const link = 'https://accounts.example/links/abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ'
const at = new Date('2026-11-28T08:30:00Z')
const data = { email, account: 'old@example.test', link, expiresAt: at }
const forgottenPassword = 'https://accounts.example/forgotten-password'

const letters = {
  'verify-email': [
    verifyEmailMail(data),
    'Verify your email address',
    `An account was made with the address ${email}. Show that the address is yours, to be able to join teams.`,
    link,
  ],
  'account-exists': [
    accountExistsMail(data),
    'You have an account already',
    `Somebody wanted to make an account with the address ${email}, which has one already. Nothing was changed: sign in with your password.`,
    link,
  ],
  'reset-password': [
    resetPasswordMail(data),
    'Choose a new password',
    `A new password was asked for, for the account with the address ${email}.`,
    link,
  ],
  'change-email': [
    changeEmailMail(data),
    'Confirm your new email address',
    `The account with the address old@example.test is to have the address ${email} instead.`,
    link,
  ],
  'password-changed': [
    passwordChangedMail({ email, at, forgottenPassword }),
    'Your password was changed',
    `The password of the account with the address ${email} was changed on Saturday, 28 November 2026 at 08:30 (UTC). All other browsers were signed out.`,
    forgottenPassword,
  ],
  'second-factor-off': [
    secondFactorOffMail({ email, at, forgottenPassword }),
    'Your second factor was turned off',
    `The account with the address ${email} asks for no second factor since Saturday, 28 November 2026 at 08:30 (UTC): whoever knows its password can sign in.`,
    forgottenPassword,
  ],
  'email-changed': [
    emailChangedMail({ recipient: email, at }),
    'Your email address was changed',
    `Your account no longer has the address ${email}, since Saturday, 28 November 2026 at 08:30 (UTC). Mails go to the new address, and you sign in with it.`,
    null,
  ],
} as const

describe.each(Object.entries(letters))('the mail %s', (_, [{ subject, text, html }, title, words, address]) => {
  test('says what happened, in plain text and in HTML alike', () => {
    expect(subject).toBe(title)
    expect(text.startsWith(`Hello,\n\n${words}\n\n`)).toBe(true)
    const shown = html.replace(/<style.*?<\/style>|<title>.*?<\/title>|<[^>]+>/gs, ' ')
    const inOneLine = (each: string) => each.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replace(/\s+/g, ' ')
    for (const line of text.split('\n\n').filter((each) => !each.endsWith(':'))) expect(inOneLine(shown)).toContain(line.trim())
  })

  test('leads to one place, and asks for nothing from elsewhere', () => {
    const addresses = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, each]) => each)
    expect([...addresses, ...(text.match(/https?:\S+/g) ?? [])]).toEqual(address ? [address, address, address] : [])
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=/i)
  })
})
