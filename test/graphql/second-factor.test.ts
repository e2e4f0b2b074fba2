import { describe, expect, test } from 'vitest'
import type { Principal } from '../../schema/context.ts'
import { spendRecoveryCode } from '../../schema/recovery-code.ts'
import { spendTotpCode } from '../../schema/totp.ts'
import { secretDeriver } from '../../src/secret-key.ts'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { secretKey } from '../support/pace.ts'
import { confirm, proposal, turnOn } from '../support/second-factor.ts'
import { startService } from '../support/service.ts'
import { createUser } from '../support/team.ts'
import { totpCode } from '../support/totp.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database
const ports = { now: clock.now, deriveSecret: secretDeriver(secretKey) }

async function person() {
  const user = await createUser(database)
  return { service, user, as: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
const stateOf = async ({ as }: Awaited<ReturnType<typeof person>>) =>
  (await executeAs(service, as, '{ viewer { secondFactor { isOn methods recoveryCodesLeft } } }')).data.viewer.secondFactor
const off = { isOn: false, methods: [], recoveryCodesLeft: 0 }
const on = (methods: string, recoveryCodesLeft = 10) => ({ isOn: true, methods: methods.split(' '), recoveryCodesLeft })
const turnOff = 'mutation { disableSecondFactor { viewer { id } } }'

/** A new time step begins: of the one before nothing is accepted any more. */
const nextStep = () => clock.advance(30_000)

describe('a second factor that is set up', () => {
  test('is proposed with what applications read, and proposed again as it was', async () => {
    const { as, user } = await person()
    const read = 'query ($sealed: String) { viewer { totpProposal(sealed: $sealed) { secret uri sealed } } }'
    const { data } = await executeAs(service, as, read)
    const { secret, uri, sealed } = data.viewer.totpProposal
    expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    const label = `accounts.example:${encodeURIComponent(user.email)}`
    expect(uri).toBe(`otpauth://totp/${label}?issuer=accounts.example&secret=${secret}&algorithm=SHA1&digits=6&period=30`)
    expect((await executeAs(service, as, read, { sealed })).data).toEqual(data)
    for (const other of ['', 'x', `${sealed.slice(0, -2)}AA`])
      expect((await executeAs(service, as, read, { sealed: other })).data.viewer.totpProposal.secret).not.toBe(secret)
  })

  test('is on once a code confirms it, with ten recovery codes of sixty bits', async () => {
    const someone = await person()
    expect(await stateOf(someone)).toEqual(off)
    const { recoveryCodes } = await turnOn(someone)
    expect(new Set(recoveryCodes).size).toBe(10)
    for (const code of recoveryCodes) expect(code).toMatch(/^(?:[0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
    expect(await stateOf(someone)).toEqual(on('TOTP'))
  })

  test('leaves neither secret nor codes in the database as they are', async () => {
    const someone = await person()
    const { secret, recoveryCodes } = await turnOn(someone)
    const dump = JSON.stringify([await prisma.user.findMany(), await prisma.recoveryCode.findMany()].flat(), (_, value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    )
    for (const each of [secret, ...recoveryCodes, ...recoveryCodes.map((code) => code.replaceAll('-', ''))])
      expect(dump).not.toContain(each)
  })

  test.each([
    ['a wrong code', { code: '000000' }, { code: ['The code is not right. Enter the one that the application shows now.'] }],
    ['no code', { code: '' }, { code: ['The code is not right. Enter the one that the application shows now.'] }],
    ['a NUL', { code: '\0' }, { code: ['The code field contains characters that cannot be stored.'] }],
    ['another proposal', { sealed: 'x' }, { sealed: ['This secret was proposed too long ago. Set up the new one.'] }],
  ])('is refused with %s', async (_, changes, errors) => {
    const someone = await person()
    const { secret: _secret, ...input } = await proposal(someone)
    const { refusal } = await executeAs(service, someone.as, confirm, { ...input, ...changes })
    expect([refusal?.code, refusal?.details.errors]).toEqual(['validation_failed', errors])
    expect((await stateOf(someone)).isOn).toBe(false)
  })

  test('is refused with somebody else’s proposal, after an hour, and when it is on', async () => {
    const [someone, other] = [await person(), await person()]
    const { secret, ...input } = await proposal(other)
    expect((await executeAs(service, someone.as, confirm, input)).refusal?.details.errors).toHaveProperty('sealed')
    clock.advance(3_600_000)
    other.as.authenticatedAt = clock.now()
    const late = { ...input, code: totpCode(secret, clock.now()) }
    expect((await executeAs(service, other.as, confirm, late)).refusal?.details.errors).toHaveProperty('sealed')
    const again = await proposal(other)
    const { secret: _, ...both } = again
    const outcomes = await Promise.all([both, both].map((each) => executeAs(service, other.as, confirm, each)))
    expect(outcomes.map(({ refusal }) => refusal?.message ?? 'done').toSorted()).toEqual([
      'An authenticator application is set up already.',
      'done',
    ])
  })

  test('asks for the password again where the sign-in is old, and is nothing for operators', async () => {
    const someone = await person()
    const old = { ...someone.as, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }
    for (const document of ['mutation { disableSecondFactor { __typename } }', 'mutation { regenerateRecoveryCodes { __typename } }']) {
      expect((await executeAs(service, old, document)).refusal?.code).toBe('recent_sign_in_required')
      expect((await executeAs(service, operator, document)).refusal?.code).toBe('role_required')
      expect((await executeAs(service, someone.as, document)).refusal?.details.errors).toEqual({
        secondFactor: ['The second factor is off.'],
      })
    }
  })

  test('that is turned off takes its recovery codes along, and can be turned on again', async () => {
    const someone = await person()
    const { secret, recoveryCodes } = await turnOn(someone)
    await executeAs(service, someone.as, turnOff)
    expect(await stateOf(someone)).toEqual(off)
    expect(await spendTotpCode(prisma, ports, someone.user.id, totpCode(secret, clock.now()))).toBe(false)
    expect(await spendRecoveryCode(prisma, ports, someone.user.id, recoveryCodes[0] ?? '')).toBe(false)
    await turnOn(someone)
    expect(await stateOf(someone)).toEqual(on('TOTP'))
  })

  test('is turned off by an operator for who has lost it, who is told as if they had done it', async () => {
    const [own, lost] = [await person(), await person()]
    for (const each of [own, lost]) await turnOn(each)
    const told = async (document: string, as: Principal, input?: object) => {
      const before = service.mails.length
      await executeAs(service, as, document, input && { input })
      return service.mails.slice(before)
    }
    const notice = ({ user }: typeof own) => [{ kind: 'second-factor-off', userId: user.id, at: expect.any(String) }]
    expect(await told(turnOff, own.as)).toEqual(notice(own))
    const reset = 'mutation ($input: UserInput!) { resetSecondFactor(input: $input) { user { id } } }'
    expect(await told(reset, operator, { email: lost.user.email })).toEqual(notice(lost))
    expect(await stateOf(lost)).toEqual(off)
    // Nobody is told of it whose address somebody else may have signed up with.
    await prisma.user.update({ where: { id: own.user.id }, data: { emailVerified: false } })
    await turnOn(own)
    expect(await told(turnOff, own.as)).toEqual([])
    expect(await told(reset, operator, { email: lost.user.email })).toEqual([])
  })
})

describe('a code', () => {
  const spend = (userId: string, code: string) => spendTotpCode(prisma, ports, userId, code)

  test('is right one step before and after, and no further', async () => {
    for (const [steps, expected] of [
      [-2, false],
      [-1, true],
      [0, true],
      [1, true],
      [2, false],
    ] as const) {
      const someone = await person()
      const { secret } = await turnOn(someone)
      await prisma.user.update({ where: { id: someone.user.id }, data: { totpLastStep: null } })
      const code = totpCode(secret, new Date(clock.now().getTime() + steps * 30_000))
      expect([steps, await spend(someone.user.id, code)]).toEqual([steps, expected])
    }
  })

  test('is accepted once, the one that turned it on not again, and none from before', async () => {
    const someone = await person()
    const { secret } = await turnOn(someone)
    const first = totpCode(secret, clock.now())
    expect(await spend(someone.user.id, first)).toBe(false)
    nextStep()
    const second = totpCode(secret, clock.now())
    expect(await spend(someone.user.id, `${second.slice(0, 3)} ${second.slice(3)}`)).toBe(true)
    for (const code of [second, first, '', '00000', '0000000', 'abcdef', '١٢٣٤٥٦']) expect(await spend(someone.user.id, code)).toBe(false)
  })

  test('is accepted once of twenty at once', async () => {
    const someone = await person()
    const { secret } = await turnOn(someone)
    nextStep()
    const code = totpCode(secret, clock.now())
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => spend(someone.user.id, code)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })
})

describe('a recovery code', () => {
  const spend = (userId: string, code: string) => spendRecoveryCode(prisma, ports, userId, code)

  test('is accepted once of twenty at once, however it is typed, and by its person alone', async () => {
    const [someone, other] = [await person(), await person()]
    const [first = '', second = ''] = (await turnOn(someone)).recoveryCodes
    expect(await spend(other.user.id, first)).toBe(false)
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => spend(someone.user.id, first)))
    expect(outcomes.filter(Boolean)).toHaveLength(1)
    const typed = ` ${second.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')} `
    expect(await spend(someone.user.id, typed)).toBe(true)
    expect(await stateOf(someone)).toEqual(on('TOTP', 8))
  })

  test('no longer works once there are new ones', async () => {
    const someone = await person()
    const [old = ''] = (await turnOn(someone)).recoveryCodes
    const { data } = await executeAs(service, someone.as, 'mutation { regenerateRecoveryCodes { recoveryCodes } }')
    expect(await spend(someone.user.id, old)).toBe(false)
    expect(await spend(someone.user.id, data.regenerateRecoveryCodes.recoveryCodes[9])).toBe(true)
  })
})
