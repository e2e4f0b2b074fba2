import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

// The words of pages and mails are those that customers know from other products. These are the ones that were replaced.

const root = path.resolve(import.meta.dirname, '../..')
const folders = ['src/account-site', 'src/oidc/pages', 'src/web', 'src/mail/templates']
const files = folders
  .flatMap((folder) => globSync(`${folder}/**/*.{ts,tsx,js}`, { cwd: root }))
  .filter((file) => !file.includes('generated'))

const replaced: Readonly<Record<string, string>> = {
  'who can touch': 'Who has access',
  'no team in particular': 'All your teams',
  'cut off': 'Revoke access',
  disconnect: 'Revoke access',
  'also those that no longer work': 'Show expired and revoked',
  'rotate the value': 'Rotate token',
  'create a new value': 'Rotate token',
  'how long it works': 'Expiration',
  'until the end of a day': 'Custom date',
  'whoever has it': 'Treat this token like a password',
  'i have kept it': 'Done',
  'second factor': 'two-factor authentication',
  'authenticator application': 'authenticator app',
  'is it you': 'Confirm it’s you',
  'look into your mailbox': 'Check your email',
  'forgotten password': 'Forgot password?',
  'send the mail': 'Send reset link',
  'is not right': 'is incorrect',
  'there is nothing here': 'Page not found',
  'you cannot open this': 'You don’t have access',
  'what its owners set': 'Team details',
  'invitations so far': 'Invitations',
  'know who you are': 'Sign you in',
  'stay connected while you are away': 'Keep access when you’re not using it',
  'ends by itself': 'expires',
  'need not do anything': 'You can ignore this email.',
  'nothing to do': 'You can ignore this email.',
  'those who run this service': 'support',
  'connected application': 'connected app',
  somebody: 'someone',
}

/** The file without comments, in one line. */
const textOf = (file: string) =>
  readFileSync(path.join(root, file), 'utf8')
    .replace(/\/\*.*?\*\/|^\s*\/\/.*$|(?<=\s)\/\/ .*$/gms, ' ')
    .replace(/\s+/g, ' ')
    .toLowerCase()

test('pages and mails contain none of the words that were replaced', () => {
  expect(files.length).toBeGreaterThan(150)
  const found = files.flatMap((file) => {
    const text = textOf(file)
    return Object.keys(replaced).flatMap((words) => (text.includes(words) ? [`${file}: ${words} → ${replaced[words]}`] : []))
  })
  expect(found).toEqual([])
})
