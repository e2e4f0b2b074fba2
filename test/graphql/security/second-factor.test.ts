import { describe, expect, test } from 'vitest'
import type { Principal } from '../../../schema/core/principals.ts'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { spendRecoveryCode } from '../../../schema/security/second-factor/recovery-code.ts'
import { spendTotpCode } from '../../../schema/security/second-factor/totp.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { secretKey } from '../../support/service/test-settings.ts'
import { confirmTotp, createTotpInput, enableTotp } from '../../support/data/second-factor.ts'
import { useService } from '../../support/service/service.ts'
import { createUser } from '../../support/data/team.ts'
import { totpCode } from '../../support/data/totp.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database
const ports = { now: clock.now, deriveSecret: secretDeriver(secretKey) }
const spendRecovery = (userId: string, code: string) =>
  inTransaction(database, (transaction) => spendRecoveryCode(transaction, ports, userId, code))

async function createAccount() {
  const user = await createUser(database)
  return { service, user, principal: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
const readState = async ({ principal }: Awaited<ReturnType<typeof createAccount>>) =>
  (await executeAs(service, principal, '{ viewer { secondFactor { isOn methods recoveryCodesLeft } } }')).data.viewer.secondFactor
const off = { isOn: false, methods: [], recoveryCodesLeft: 0 }
const on = (methods: string, recoveryCodesLeft = 10) => ({ isOn: true, methods: methods.split(' '), recoveryCodesLeft })
const disableSecondFactor = 'mutation { disableSecondFactor { viewer { id: userId } } }'

/** Moves the clock to the next TOTP time step. */
const startNextTimeStep = () => clock.advance(30_000)

describe('the set-up of an authenticator app', () => {
  test('proposes a secret with its otpauth URI, and the same secret again for the encrypted value', async () => {
    const { principal, user } = await createAccount()
    const read = 'query ($encrypted: String) { viewer { totpProposal(encrypted: $encrypted) { secret uri encrypted } } }'
    const { data } = await executeAs(service, principal, read)
    const { secret, uri, encrypted } = data.viewer.totpProposal
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const label = `Nimbus%20Ledger:${encodeURIComponent(user.email)}`
    expect(uri).toBe(`otpauth://totp/${label}?issuer=Nimbus%20Ledger&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
    expect((await executeAs(service, principal, read, { encrypted })).data).toEqual(data)
    for (const other of ['', 'x', `${encrypted.slice(0, -2)}AA`])
      expect((await executeAs(service, principal, read, { encrypted: other })).data.viewer.totpProposal.secret).not.toBe(secret)
  })

  test('enables the second factor after a valid code and returns ten recovery codes of 60 bits', async () => {
    const account = await createAccount()
    expect(await readState(account)).toEqual(off)
    const { recoveryCodes } = await enableTotp(account)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await readState(account)).toEqual(on('TOTP'))
  })

  test('stores neither the secret nor the recovery codes in plain text', async () => {
    const account = await createAccount()
    const { secret, recoveryCodes } = await enableTotp(account)
    const dump = JSON.stringify([await prisma.user.findMany(), await prisma.recoveryCode.findMany()].flat(), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const each of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(dump).not.toContain(each)
  })

  test.each([
    ['a wrong code', { code: '000000' }, { code: ['The code is incorrect. Enter the code that the app shows now.'] }],
    ['no code', { code: '' }, { code: ['The code is incorrect. Enter the code that the app shows now.'] }],
    ['a NUL', { code: '\0' }, { code: ['The code field contains characters that cannot be stored.'] }],
    ['an invalid encrypted secret', { encrypted: 'x' }, { encrypted: ['This setup code has expired. Use the new one.'] }],
  ])('is rejected with %s', async (_, changes, errors) => {
    const account = await createAccount()
    const { secret: _secret, ...input } = await createTotpInput(account)
    const { refusal } = await executeAs(service, account.principal, confirmTotp, { ...input, ...changes })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
    expect((await readState(account)).isOn).toBe(false)
  })

  test('is rejected with the secret of another user, after an hour, and if an app is already set up', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    const { secret, ...input } = await createTotpInput(other)
    expect((await executeAs(service, account.principal, confirmTotp, input)).refusal?.details.errors).toHaveProperty('encrypted')
    clock.advance(3_600_000)
    other.principal.authenticatedAt = clock.now()
    const expiredInput = { ...input, code: totpCode(secret, clock.now()) }
    expect((await executeAs(service, other.principal, confirmTotp, expiredInput)).refusal?.details.errors).toHaveProperty('encrypted')
    const proposal = await createTotpInput(other)
    const { secret: _, ...currentInput } = proposal
    const outcomes = await Promise.all([currentInput, currentInput].map((each) => executeAs(service, other.principal, confirmTotp, each)))
    expect(outcomes.map(({ refusal }) => refusal?.message ?? 'done').toSorted()).toEqual([
      'An authenticator app is already set up.',
      'done',
    ])
  })

  test('requires a recent sign-in for changes, which are not available to the operator', async () => {
    const account = await createAccount()
    const staleSession = { ...account.principal, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }
    for (const document of ['mutation { disableSecondFactor { __typename } }', 'mutation { regenerateRecoveryCodes { __typename } }']) {
      expect((await executeAs(service, staleSession, document)).refusal?.code).toBe('recent_sign_in_required')
      expect((await executeAs(service, operator, document)).refusal?.code).toBe('role_required')
      expect((await executeAs(service, account.principal, document)).refusal?.details.errors).toEqual({
        secondFactor: ['Two-factor authentication is off.'],
      })
    }
  })

  test('can be repeated after the second factor was disabled, which invalidates codes and recovery codes', async () => {
    const account = await createAccount()
    const { secret, recoveryCodes } = await enableTotp(account)
    await executeAs(service, account.principal, disableSecondFactor)
    expect(await readState(account)).toEqual(off)
    expect(await spendTotpCode(service.database.pool, ports, account.user.id, totpCode(secret, clock.now()))).toBe(false)
    expect(await spendRecovery(account.user.id, recoveryCodes[0] ?? '')).toBe(false)
    await enableTotp(account)
    expect(await readState(account)).toEqual(on('TOTP'))
  })

  test('can be undone by the user and by the operator, who both cause a notification mail', async () => {
    const [own, other] = [await createAccount(), await createAccount()]
    for (const each of [own, other]) await enableTotp(each)
    const mailsSentBy = async (document: string, principal: Principal, input?: object) => {
      const before = service.mails.length
      await executeAs(service, principal, document, input && { input })
      return service.mails.slice(before)
    }
    const notice = ({ user }: typeof own) => [expect.objectContaining({ kind: 'second-factor-off', userId: user.id })]
    expect(await mailsSentBy(disableSecondFactor, own.principal)).toEqual(notice(own))
    const reset = 'mutation ($input: UserInput!) { resetSecondFactor(input: $input) { user { id: userId } } }'
    expect(await mailsSentBy(reset, operator, { email: other.user.email })).toEqual(notice(other))
    expect(await readState(other)).toEqual(off)
    // An unverified address may belong to another person, so it receives no notification.
    await prisma.user.update({ where: { id: own.user.id }, data: { emailVerified: false } })
    await enableTotp(own)
    expect(await mailsSentBy(disableSecondFactor, own.principal)).toEqual([])
    expect(await mailsSentBy(reset, operator, { email: other.user.email })).toEqual([])
  })
})

describe('a TOTP code', () => {
  const spend = (userId: string, code: string) => spendTotpCode(database.pool, ports, userId, code)

  test('is accepted within one time step before and after the current one', async () => {
    for (const [steps, expected] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const account = await createAccount()
      const { secret } = await enableTotp(account)
      await prisma.user.update({ where: { id: account.user.id }, data: { totpLastStep: null } })
      const code = totpCode(secret, new Date(clock.now().getTime() + steps * 30_000))
      expect([steps, await spend(account.user.id, code)]).toEqual([steps, expected])
    }
  })

  test('is accepted only once, including the code that enabled the second factor', async () => {
    const account = await createAccount()
    const { secret } = await enableTotp(account)
    const first = totpCode(secret, clock.now())
    expect(await spend(account.user.id, first)).toBe(false)
    startNextTimeStep()
    const second = totpCode(secret, clock.now())
    expect(await spend(account.user.id, `${second.slice(0, 3)} ${second.slice(3)}`)).toBe(true)
    for (const code of [second, first, '', '00000', '0000000', 'abcdef', '١٢٣٤٥٦']) expect(await spend(account.user.id, code)).toBe(false)
  })

  test('is accepted by only one of 20 concurrent requests', async () => {
    const account = await createAccount()
    const { secret } = await enableTotp(account)
    startNextTimeStep()
    const code = totpCode(secret, clock.now())
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => spend(account.user.id, code)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })
})

describe('a recovery code', () => {
  test('is accepted by only one of 20 concurrent requests, in any notation, and only for its user', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    const [first = '', second = ''] = (await enableTotp(account)).recoveryCodes
    expect(await spendRecovery(other.user.id, first)).toBe(false)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => spendRecovery(account.user.id, first)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    const typedCode = ` ${second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    expect(await spendRecovery(account.user.id, typedCode)).toBe(true)
    expect(await readState(account)).toEqual(on('TOTP', 8))
  })

  test('is invalid after new recovery codes were generated', async () => {
    const account = await createAccount()
    const [replacedCode = ''] = (await enableTotp(account)).recoveryCodes
    const { data } = await executeAs(service, account.principal, 'mutation { regenerateRecoveryCodes { recoveryCodes } }')
    expect(await spendRecovery(account.user.id, replacedCode)).toBe(false)
    expect(await spendRecovery(account.user.id, data.regenerateRecoveryCodes.recoveryCodes[9])).toBe(true)
  })
})
