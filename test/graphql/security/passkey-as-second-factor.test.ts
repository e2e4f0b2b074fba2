import { describe, expect, test } from 'vitest'
import { executeAs, operator, sessionOf } from '../../support/service/in-process.ts'
import { addPasskey, requirePasskey, enableTotp, enablePasskeyFactor } from '../../support/data/second-factor.ts'
import { useService } from '../../support/service/service.ts'
import { createUser } from '../../support/data/team.ts'

const service = useService()
const { database, clock } = service
const { prisma } = database

async function createAccount() {
  const user = await createUser(database)
  return { service, user, principal: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
type Account = Awaited<ReturnType<typeof createAccount>>

const readState = async ({ principal }: Account) =>
  (await executeAs(service, principal, '{ viewer { secondFactor { isOn methods recoveryCodesLeft } } }')).data.viewer.secondFactor
const off = { isOn: false, methods: [], recoveryCodesLeft: 0 }
const on = (...methods: string[]) => ({ isOn: true, methods, recoveryCodesLeft: 10 })
const validationError = (errors: object) => ['validation_failed', errors]

/** Executes a mutation in the session of the user. Returns the code and the errors, or null. */
async function executeForError({ principal }: Account, document: string) {
  const { refusal } = await executeAs(service, principal, document)
  return refusal && [refusal.code, refusal.details.errors]
}
const deletePasskey = (id: string) => `mutation { deletePasskey(input: { id: "${id}" }) { passkey { id: passkeyId } } }`
const disableSecondFactor = 'mutation { disableSecondFactor { viewer { id: userId } } }'
const lastPasskeyError = validationError({
  id: ['This is your last passkey, and two-factor authentication needs it. Turn off two-factor authentication first.'],
})

describe('a passkey as the second factor', () => {
  test('is enabled by requirePasskey, which returns ten recovery codes', async () => {
    const account = await createAccount()
    await addPasskey(account)
    expect(await readState(account)).toEqual(off)
    const { data } = await executeAs(service, account.principal, requirePasskey)
    expect(new Set(data.requirePasskey.recoveryCodes).size).toBe(10)
    expect(await readState(account)).toEqual(on('PASSKEY'))
    const fresh = await executeAs(service, account.principal, 'mutation { regenerateRecoveryCodes { recoveryCodes } }')
    expect(fresh.data.regenerateRecoveryCodes.recoveryCodes).toHaveLength(10)
    expect(fresh.data.regenerateRecoveryCodes.recoveryCodes).not.toContain(data.requirePasskey.recoveryCodes[0])
    expect(await readState(account)).toEqual(on('PASSKEY'))
  })

  test('stays enabled after every recovery code was used', async () => {
    const account = await createAccount()
    await enablePasskeyFactor(account)
    await prisma.recoveryCode.updateMany({ where: { userId: account.user.id }, data: { usedAt: clock.now() } })
    expect(await readState(account)).toEqual({ ...on('PASSKEY'), recoveryCodesLeft: 0 })
  })

  test('cannot be enabled without a passkey', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    await addPasskey(other)
    expect(await executeForError(account, requirePasskey)).toEqual(
      validationError({ secondFactor: ['You have no passkey. Add one first.'] }),
    )
    expect(await readState(account)).toEqual(off)
  })

  test('is enabled by only one of two concurrent requests, and not if an authenticator app is already set up', async () => {
    const [account, other] = [await createAccount(), await createAccount()]
    await addPasskey(account)
    const outcomes = await Promise.all([executeForError(account, requirePasskey), executeForError(account, requirePasskey)])
    const alreadyEnabled = validationError({ secondFactor: ['Two-factor authentication is already on.'] })
    expect(outcomes.toSorted((one) => (one ? -1 : 1))).toEqual([alreadyEnabled, null])
    await enableTotp(other)
    await addPasskey(other)
    expect(await executeForError(other, requirePasskey)).toEqual(alreadyEnabled)
    expect(await readState(other)).toEqual(on('TOTP', 'PASSKEY'))
  })

  test('requires a recent sign-in and is not available to the operator', async () => {
    const account = await createAccount()
    await addPasskey(account)
    const staleSession = { ...account.principal, authenticatedAt: new Date(clock.now().getTime() - 16 * 60_000) }
    expect((await executeAs(service, staleSession, requirePasskey)).refusal?.code).toBe('recent_sign_in_required')
    expect((await executeAs(service, operator, requirePasskey)).refusal?.code).toBe('role_required')
    expect(await readState(account)).toEqual(off)
  })

  test('cannot be deleted while it is the only method', async () => {
    const account = await createAccount()
    const { id } = await enablePasskeyFactor(account)
    expect(await executeForError(account, deletePasskey(id))).toEqual(lastPasskeyError)
    expect(await readState(account)).toEqual(on('PASSKEY'))
    expect(await executeForError(account, disableSecondFactor)).toBeNull()
    expect(await readState(account)).toEqual(off)
    expect(await executeForError(account, deletePasskey(id))).toBeNull()
  })

  test('keeps one passkey if the last two are deleted concurrently', async () => {
    const account = await createAccount()
    const [first, second] = [await enablePasskeyFactor(account), await addPasskey(account)]
    const outcomes = await Promise.all([first, second].map(({ id }) => executeForError(account, deletePasskey(id))))
    expect(outcomes.toSorted((one) => (one ? -1 : 1))).toEqual([lastPasskeyError, null])
    expect(await readState(account)).toEqual(on('PASSKEY'))
  })

  test('is either enabled or deleted by two concurrent requests', async () => {
    const account = await createAccount()
    const { id } = await addPasskey(account)
    const [enableError, deleteError] = await Promise.all([
      executeForError(account, requirePasskey),
      executeForError(account, deletePasskey(id)),
    ])
    expect([enableError, deleteError].filter((each) => each === null)).toHaveLength(1)
    expect(await readState(account)).toEqual(enableError ? off : on('PASSKEY'))
  })
})

describe('an authenticator app added to a passkey', () => {
  test('keeps the recovery codes and allows the last passkey to be deleted', async () => {
    const account = await createAccount()
    const { id } = await enablePasskeyFactor(account)
    const hashes = () => prisma.recoveryCode.findMany({ where: { userId: account.user.id }, orderBy: { hash: 'asc' } })
    const before = await hashes()
    const { recoveryCodes } = await enableTotp(account)
    expect([before.length, recoveryCodes, await hashes()]).toEqual([10, [], before])
    expect(service.mails.at(-1)).toMatchObject({ kind: 'authenticator-added', userId: account.user.id })
    expect(await readState(account)).toEqual(on('TOTP', 'PASSKEY'))
    expect(await executeForError(account, deletePasskey(id))).toBeNull()
    expect(await readState(account)).toEqual(on('TOTP'))
  })

  test('is disabled together with the second factor, and the passkey stays for passwordless sign-in', async () => {
    const account = await createAccount()
    await enablePasskeyFactor(account)
    await enableTotp(account)
    expect(await executeForError(account, disableSecondFactor)).toBeNull()
    expect(await readState(account)).toEqual(off)
    expect(await prisma.passkey.count({ where: { userId: account.user.id } })).toBe(1)
    expect(await prisma.recoveryCode.count({ where: { userId: account.user.id } })).toBe(0)
  })
})
