import { expect } from 'vitest'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import type { User } from '../../../prisma/generated/client/client.ts'
import { renewRecoveryCodes } from '../../../schema/security/second-factor/recovery-code.ts'
import { createTotpSecret, encryptTotpSecret, totpSecretText } from '../../../schema/security/second-factor/totp.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { Browser } from '../browser/browser.ts'
import type { Page } from '../browser/browser.ts'
import { totpCode } from '../data/totp.ts'
import { createPerson, password } from '../oauth/oauth.ts'
import type { TestService } from '../service/service.ts'
import { secretKey } from '../service/test-settings.ts'
import { enter, heading } from './page-content.ts'

// A session that began with the password alone, before the user turned two-factor authentication on in another one.

const ports = { deriveSecret: secretDeriver(secretKey) }

/** The kinds of second factor. */
export const factors = ['totp', 'passkey'] as const

/** Gives the user exactly this second factor, whatever they had. Returns a code that proves it. */
export async function giveFactor(
  { database, clock }: Pick<TestService, 'database' | 'clock'>,
  { id }: Pick<User, 'id'>,
  factor: (typeof factors)[number],
): Promise<string> {
  const { prisma } = database
  const secret = createTotpSecret()
  const totpSecret = factor === 'totp' ? new Uint8Array(encryptTotpSecret(ports, secret, id)) : null
  await prisma.user.update({ where: { id }, data: { totpSecret, totpLastStep: null } })
  if (factor === 'passkey' && (await prisma.passkey.count({ where: { userId: id } })) === 0) {
    const keys = { credentialId: Buffer.from(id), publicKey: Buffer.alloc(1), counter: 0n, transports: [], isBackedUp: false }
    await prisma.passkey.create({ data: { userId: id, name: 'Laptop', ...keys, createdAt: clock.now() } })
  }
  const [recoveryCode = ''] = await inTransaction(database, async (transaction) => renewRecoveryCodes(transaction, ports, id))
  return factor === 'totp' ? totpCode(totpSecretText(secret), clock.now()) : recoveryCode
}

/** Signs in by password alone. */
export async function passwordSession({ url }: Pick<TestService, 'url'>, user: Pick<User, 'email'>): Promise<Browser> {
  const browser = new Browser(url)
  expect(heading(await enter(browser, user))).toEqual([200, 'Sign-in and security'])
  return browser
}

/** The same for a user who then gets a second factor, with a code that proves it. */
export async function unprovedSession(service: TestService, factor: (typeof factors)[number] = 'totp') {
  const user = await createPerson(service.database)
  const browser = await passwordSession(service, user)
  return { user, browser, code: await giveFactor(service, user, factor) }
}

/** Enters the password and the code on the page that asks a signed-in user to confirm, or opens it. */
export async function prove(browser: Browser, code: string, confirmPage?: Page): Promise<Page> {
  const asked = await browser.press(confirmPage ?? (await browser.open('/confirm')), 'Continue', { Password: password })
  expect(heading(asked)).toEqual([200, 'Two-factor authentication'])
  return browser.press(asked, 'Continue', { code })
}
