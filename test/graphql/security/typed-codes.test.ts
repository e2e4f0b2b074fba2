import { expect, test } from 'vitest'
import { inTransaction } from '../../../prisma/statement/transaction.ts'
import { spendRecoveryCode } from '../../../schema/security/second-factor/recovery-code.ts'
import { spendTotpCode } from '../../../schema/security/second-factor/totp.ts'
import { secretDeriver } from '../../../src/config/secret-key.ts'
import { enableTotp } from '../../support/data/second-factor.ts'
import { createUser } from '../../support/data/team.ts'
import { totpCode } from '../../support/data/totp.ts'
import { sessionOf } from '../../support/service/in-process.ts'
import { useService } from '../../support/service/service.ts'
import { secretKey } from '../../support/service/test-settings.ts'

const service = useService()
const { database, clock } = service
const ports = { now: clock.now, deriveSecret: secretDeriver(secretKey) }
const spendRecovery = (userId: string, code: string) =>
  inTransaction(database, (transaction) => spendRecoveryCode(transaction, ports, userId, code))

test('codes are accepted with any dash, blanks and full-width characters, each once', async () => {
  const user = await createUser(database)
  const principal = { ...(await sessionOf(service, user)), authenticatedAt: clock.now() }
  const { secret, recoveryCodes } = await enableTotp({ service, principal })
  const fullWidth = (code: string) => code.replace(/[!-~]/g, (each) => String.fromCodePoint((each.codePointAt(0) ?? 0) + 0xfee0))
  const dashes = ['\u2011', '\u2013', '\u2014', '\u2212', '\u00ad', '\u3000', '\u30fc', '.']
  const spellings = [
    ...dashes.map((dash) => (code: string) => code.replaceAll('-', dash)),
    (code: string) => ` ${code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')}\u200b`,
    fullWidth,
  ]
  for (const [index, code] of recoveryCodes.entries()) {
    const spelled = spellings[index]?.(code) ?? code
    expect([spelled, await spendRecovery(user.id, spelled)]).toEqual([spelled, true])
    expect([spelled, await spendRecovery(user.id, spelled)]).toEqual([spelled, false])
  }
  // The codes of the app, too.
  for (const spell of [fullWidth, ...dashes.map((dash) => (code: string) => `${code.slice(0, 3)}${dash}${code.slice(3)}`)]) {
    // The next time step: each code is valid once.
    clock.advance(30_000)
    const spelled = spell(totpCode(secret, clock.now()))
    expect([spelled, await spendTotpCode(service.database.pool, ports, user.id, spelled)]).toEqual([spelled, true])
  }
})
