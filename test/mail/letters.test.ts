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

const untilThen = 'The link works until Saturday, 28 November 2026 at 08:30 (UTC).'
const yoursAlone = 'The link is meant for you alone and works once; please do not pass it on.'
const notForYou = 'If it was not you who asked for this mail, you need not do anything: nothing changes without the link.'

/** Each with its subject, where it leads, and all that it says in plain text, paragraph by paragraph. */
const letters = {
  'verify-email': [
    verifyEmailMail(data),
    'Verify your email address',
    link,
    [
      `An account was made with the address ${email}. Show that the address is yours, to be able to join teams.`,
      'Verify the address here:',
      link,
      untilThen,
      `If it was not you who made the account, do not follow the link: the address then stays unverified. ${yoursAlone}`,
    ],
  ],
  'account-exists': [
    accountExistsMail(data),
    'You have an account already',
    link,
    [
      `Somebody wanted to make an account with the address ${email}, which has one already. Nothing was changed: sign in with your password.`,
      'If you do not know your password, choose a new one here:',
      link,
      untilThen,
      `${notForYou} ${yoursAlone}`,
    ],
  ],
  'reset-password': [
    resetPasswordMail(data),
    'Choose a new password',
    link,
    [
      `A new password was asked for, for the account with the address ${email}.`,
      'Choose it here:',
      link,
      untilThen,
      `${notForYou} ${yoursAlone}`,
    ],
  ],
  'change-email': [
    changeEmailMail(data),
    'Confirm your new email address',
    link,
    [
      `The account with the address old@example.test is to have the address ${email} instead.`,
      'Confirm the new address here:',
      link,
      untilThen,
      `${notForYou} ${yoursAlone}`,
    ],
  ],
  'password-changed': [
    passwordChangedMail({ email, at, forgottenPassword }),
    'Your password was changed',
    forgottenPassword,
    [
      `The password of the account with the address ${email} was changed on Saturday, 28 November 2026 at 08:30 (UTC). All other browsers were signed out.`,
      'If it was not you who changed it, choose a new one at once:',
      forgottenPassword,
      'If it was you, there is nothing to do.',
    ],
  ],
  'second-factor-off': [
    secondFactorOffMail({ email, at, forgottenPassword }),
    'Your second factor was turned off',
    forgottenPassword,
    [
      `The account with the address ${email} asks for no second factor since Saturday, 28 November 2026 at 08:30 (UTC): whoever knows its password can sign in.`,
      'If you did not want that, choose a new password at once, then turn the second factor on again:',
      forgottenPassword,
      'If you did, there is nothing to do.',
    ],
  ],
  'email-changed': [
    emailChangedMail({ recipient: email, at }),
    'Your email address was changed',
    null,
    [
      `Your account no longer has the address ${email}, since Saturday, 28 November 2026 at 08:30 (UTC). Mails go to the new address, and you sign in with it.`,
      'If it was not you who changed it, tell those who run this service at once: somebody else may be in your account.',
    ],
  ],
} as const

describe.each(Object.entries(letters))('the mail %s', (_, [{ subject, text, html }, title, address, paragraphs]) => {
  test('says what happened, in plain text and in HTML alike', () => {
    expect([subject, /<title>(.*?)<\/title>/.exec(html)?.[1]]).toEqual([title, title])
    expect(text).toBe(`${['Hello,', ...paragraphs].join('\n\n')}\n`)
    const shown = html.replace(/<title>.*?<\/title>|<[^>]+>/gs, ' ')
    const inOneLine = (each: string) => each.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replace(/\s+/g, ' ')
    // The button says what leads to an address in plain text.
    for (const paragraph of paragraphs.filter((each) => !each.endsWith(':'))) expect(inOneLine(shown)).toContain(paragraph)
  })

  test('leads to one place, and asks for nothing from elsewhere', () => {
    const addresses = Array.from(html.matchAll(/(?:href|src)="([^"]*)"/g), ([, each]) => each)
    expect([...addresses, ...(text.match(/https?:\S+/g) ?? [])]).toEqual(address ? [address, address, address] : [])
    expect(html).not.toMatch(/<script|<img|<link|url\(|@import|\son\w+=/i)
  })
})
