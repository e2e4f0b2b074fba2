import { hash, verify } from '@node-rs/argon2'
import { describe, expect, test } from 'vitest'
import type { User } from '../../../prisma/generated/client/client.ts'
import { comparedHashes, hashPassword } from '../../../schema/accounts/passwords/password-hash.ts'
import { otherParametersInUse } from '../../../schema/security/sign-in/verify-password.ts'
import { Browser } from '../../support/browser/browser.ts'
import { alertOf } from '../../support/account-site/page-content.ts'
import { createUser, unique } from '../../support/data/team.ts'
import { runCli } from '../../support/service/cli.ts'
import { useService } from '../../support/service/service.ts'

const service = useService()
const { prisma } = service.database

const today = 'm=19456,t=2,p=1'
const plain = 'a passphrase with Zürich-éclair'
const [composed, decomposed] = [plain.normalize('NFC'), plain.normalize('NFD')]
const expensive = { memoryCost: 65_536, timeCost: 3, parallelism: 4 }

const hashOf = async ({ id }: User) => (await prisma.user.findUniqueOrThrow({ where: { id } })).passwordHash ?? ''
async function signIn({ email }: Pick<User, 'email'>, password: string) {
  const browser = new Browser(service.url)
  const page = await browser.press(await browser.open('/sign-in'), 'Sign in', { 'Email address': email, Password: password })
  return page.url.pathname === '/sign-in' ? alertOf(page) : 'signed in'
}
const wrong = [422, 'The email address or password is incorrect.']

describe('a password', () => {
  test.each([
    ['composed', composed],
    ['decomposed', decomposed],
  ])('is accepted in both forms if it was hashed %s before, and is then stored composed', async (_, hashed) => {
    for (const typed of [composed, decomposed]) {
      const user = await createUser(service.database, {
        passwordHash: await hash(hashed, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
      })
      expect([await signIn(user, typed), await signIn(user, `${typed}!`)]).toEqual(['signed in', wrong])
      expect([await signIn(user, composed), await signIn(user, decomposed)]).toEqual(['signed in', 'signed in'])
    }
  })

  test('that is set or imported in one form is accepted in the other', async () => {
    const email = `${unique('imported')}@example.test`
    const records = JSON.stringify({ type: 'user', email, name: 'Ada', password: decomposed })
    expect((await runCli({ DATABASE_URL: service.databaseUrl }, ['import', '-'], records)).status).toBe(0)
    expect([await signIn({ email }, composed), await signIn({ email }, decomposed)]).toEqual(['signed in', 'signed in'])
  })
})

describe('a hash with other parameters than today', () => {
  test('is replaced by the first sign-in, also by two at once, and the session stays', async () => {
    const user = await createUser(service.database, { passwordHash: await hash(plain, expensive) })
    expect(await signIn(user, 'wrong password')).toEqual(wrong)
    expect(await hashOf(user)).toContain('m=65536,t=3,p=4')
    expect(await Promise.all([signIn(user, plain), signIn(user, plain)])).toEqual(['signed in', 'signed in'])
    const replaced = await hashOf(user)
    expect(replaced).toContain(today)
    expect([await signIn(user, plain), await hashOf(user)]).toEqual(['signed in', replaced])
  })

  test('does not tell by the comparisons of a wrong password which accounts exist', async () => {
    const another = { ...expensive, timeCost: 1 }
    const stored = [null, await hashPassword(plain), await hash(plain, expensive), await hash(plain, another)]
    await prisma.user.updateMany({ where: { passwordHash: { not: null } }, data: { passwordHash: null } })
    for (const passwordHash of stored) await createUser(service.database, { passwordHash })
    const inUse = await otherParametersInUse(service.database)
    expect(inUse).toEqual(['m=65536,t=1,p=4', 'm=65536,t=3,p=4'])
    for (const each of stored) {
      const compared = comparedHashes(each, inUse)
      expect(new Set(compared.map((one) => one.split('$')[3]))).toEqual(new Set([today, ...inUse]))
      expect(compared).toHaveLength(1 + inUse.length)
      // The hashes that belong to no account are complete, so that verifying them takes as long.
      for (const one of compared) expect(await verify(one, 'wrong password')).toBe(false)
    }
    await prisma.user.updateMany({ where: { passwordHash: { not: null } }, data: { passwordHash: null } })
    expect(await otherParametersInUse(service.database)).toEqual([])
  })
})
