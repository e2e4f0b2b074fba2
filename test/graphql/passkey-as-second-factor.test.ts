import { describe, expect, test } from 'vitest'
import { executeAs, operator, sessionOf } from '../support/in-process.ts'
import { addPasskey, requirePasskey, turnOn, turnOnByPasskey } from '../support/second-factor.ts'
import { startService } from '../support/service.ts'
import { createUser } from '../support/team.ts'

const service = await startService()
const { database, clock } = service
const { prisma } = database

async function person() {
  const user = await createUser(database)
  return { service, user, as: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
type Person = Awaited<ReturnType<typeof person>>

const stateOf = async ({ as }: Person) =>
  (await executeAs(service, as, '{ viewer { secondFactor { isOn methods recoveryCodesLeft } } }')).data.viewer.secondFactor
const off = { isOn: false, methods: [], recoveryCodesLeft: 0 }
const on = (...methods: string[]) => ({ isOn: true, methods, recoveryCodesLeft: 10 })
const refused = (errors: object) => ['validation_failed', errors]

/** What a mutation of the person's session was refused with, or null. */
async function refusalOf({ as }: Person, document: string) {
  const { refusal } = await executeAs(service, as, document)
  return refusal && [refusal.code, refusal.details.errors]
}
const remove = (id: string) => `mutation { deletePasskey(input: { id: "${id}" }) { passkey { id } } }`
const turnOff = 'mutation { disableSecondFactor { viewer { id } } }'
const isNeeded = refused({
  id: ['This is your last passkey, and your second factor is on by it. Turn the second factor off first.'],
})

describe('a passkey', () => {
  test('is no second factor until the person wants it, and then is one, with ten recovery codes', async () => {
    const someone = await person()
    await addPasskey(someone)
    expect(await stateOf(someone)).toEqual(off)
    const { data } = await executeAs(service, someone.as, requirePasskey)
    expect(new Set(data.requirePasskey.recoveryCodes).size).toBe(10)
    expect(await stateOf(someone)).toEqual(on('PASSKEY'))
    const fresh = await executeAs(service, someone.as, 'mutation { regenerateRecoveryCodes { recoveryCodes } }')
    expect(fresh.data.regenerateRecoveryCodes.recoveryCodes).toHaveLength(10)
    expect(fresh.data.regenerateRecoveryCodes.recoveryCodes).not.toContain(data.requirePasskey.recoveryCodes[0])
    expect(await stateOf(someone)).toEqual(on('PASSKEY'))
  })

  test('stays it where every recovery code was used', async () => {
    const someone = await person()
    await turnOnByPasskey(someone)
    await prisma.recoveryCode.updateMany({ where: { userId: someone.user.id }, data: { usedAt: clock.now() } })
    expect(await stateOf(someone)).toEqual({ ...on('PASSKEY'), recoveryCodesLeft: 0 })
  })

  test('that there is none of turns nothing on', async () => {
    const [someone, other] = [await person(), await person()]
    await addPasskey(other)
    expect(await refusalOf(someone, requirePasskey)).toEqual(refused({ secondFactor: ['You have no passkey. Add one first.'] }))
    expect(await stateOf(someone)).toEqual(off)
  })

  test('turns it on once of two at once, and not beside an application, with which it is one anyway', async () => {
    const [someone, other] = [await person(), await person()]
    await addPasskey(someone)
    const outcomes = await Promise.all([refusalOf(someone, requirePasskey), refusalOf(someone, requirePasskey)])
    const already = refused({ secondFactor: ['The second factor is on already.'] })
    expect(outcomes.toSorted((one) => (one ? -1 : 1))).toEqual([already, null])
    await turnOn(other)
    await addPasskey(other)
    expect(await refusalOf(other, requirePasskey)).toEqual(already)
    expect(await stateOf(other)).toEqual(on('TOTP', 'PASSKEY'))
  })

  test('asks for a recent sign-in, and is nothing for operators', async () => {
    const someone = await person()
    await addPasskey(someone)
    const old = { ...someone.as, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }
    expect((await executeAs(service, old, requirePasskey)).refusal?.code).toBe('recent_sign_in_required')
    expect((await executeAs(service, operator, requirePasskey)).refusal?.code).toBe('role_required')
    expect(await stateOf(someone)).toEqual(off)
  })

  test('by which alone it is on is not deleted before it is off', async () => {
    const someone = await person()
    const { id } = await turnOnByPasskey(someone)
    expect(await refusalOf(someone, remove(id))).toEqual(isNeeded)
    expect(await stateOf(someone)).toEqual(on('PASSKEY'))
    expect(await refusalOf(someone, turnOff)).toBeNull()
    expect(await stateOf(someone)).toEqual(off)
    expect(await refusalOf(someone, remove(id))).toBeNull()
  })

  test('of two that are deleted at once stays', async () => {
    const someone = await person()
    const [first, second] = [await turnOnByPasskey(someone), await addPasskey(someone)]
    const outcomes = await Promise.all([first, second].map(({ id }) => refusalOf(someone, remove(id))))
    expect(outcomes.toSorted((one) => (one ? -1 : 1))).toEqual([isNeeded, null])
    expect(await stateOf(someone)).toEqual(on('PASSKEY'))
  })

  test('that is deleted while it is asked for turns nothing on', async () => {
    const someone = await person()
    const { id } = await addPasskey(someone)
    const [asked, removed] = await Promise.all([refusalOf(someone, requirePasskey), refusalOf(someone, remove(id))])
    expect([asked, removed].filter((each) => each === null)).toHaveLength(1)
    expect(await stateOf(someone)).toEqual(asked ? off : on('PASSKEY'))
  })
})

describe('an application beside a passkey', () => {
  test('is set up with new recovery codes, and then the last passkey can go', async () => {
    const someone = await person()
    const { id, recoveryCodes } = await turnOnByPasskey(someone)
    const { recoveryCodes: fresh } = await turnOn(someone)
    expect(fresh.filter((code) => recoveryCodes.includes(code))).toEqual([])
    expect(await stateOf(someone)).toEqual(on('TOTP', 'PASSKEY'))
    expect(await refusalOf(someone, remove(id))).toBeNull()
    expect(await stateOf(someone)).toEqual(on('TOTP'))
  })

  test('is turned off with it: the passkey stays, to sign in without the password', async () => {
    const someone = await person()
    await turnOnByPasskey(someone)
    await turnOn(someone)
    expect(await refusalOf(someone, turnOff)).toBeNull()
    expect(await stateOf(someone)).toEqual(off)
    expect(await prisma.passkey.count({ where: { userId: someone.user.id } })).toBe(1)
    expect(await prisma.recoveryCode.count({ where: { userId: someone.user.id } })).toBe(0)
  })
})
