import { describe, expect, test } from 'vitest'
import { spendTotpCode } from '../../../schema/security/second-factor/totp.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { createTotpInput, enableTotp, moveTotp } from '../../support/data/second-factor.ts'
import { createUser } from '../../support/data/team.ts'
import { totpCode } from '../../support/data/totp.ts'
import { executeAs, sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const ports = { now: clock.now, deriveSecret: secretDeriver(secretKey) }

async function createAccount() {
  const user = await createUser(database)
  return { service, user, principal: { ...(await sessionOf(service, user)), authenticatedAt: clock.now() } }
}
const readMethods = async ({ principal }: Awaited<ReturnType<typeof createAccount>>): Promise<string[]> =>
  (await executeAs(service, principal, '{ viewer { secondFactor { methods } } }')).data.viewer.secondFactor.methods
const startNextTimeStep = () => clock.advance(30_000)

describe('another authenticator app', () => {
  test('replaces none that is not set up, and of two at once the last one stays', async () => {
    const account = await createAccount()
    const { secret: _, ...unused } = await createTotpInput(account)
    const refused = await executeAs(service, account.principal, moveTotp, unused)
    expect(refused.refusal?.details.errors).toEqual({ encrypted: ['You have no authenticator app. Set one up.'] })
    expect(await readMethods(account)).toEqual([])
    const { secret: first } = await enableTotp(account)
    startNextTimeStep()
    const inputs = [await createTotpInput(account), await createTotpInput(account)]
    const results = await Promise.all(
      inputs.map(({ encrypted, code }) => executeAs(service, account.principal, moveTotp, { encrypted, code })),
    )
    expect(results.map(({ refusal }) => refusal)).toEqual([null, null])
    expect(await readMethods(account)).toEqual(['TOTP'])
    startNextTimeStep()
    const spend = (secret: string) => spendTotpCode(database.pool, ports, account.user.id, totpCode(secret, clock.now()))
    let accepted = 0
    for (const { secret } of inputs) if (await spend(secret)) accepted++
    expect([await spend(first), accepted]).toEqual([false, 1])
  })
})
