import { expect, test } from 'vitest'
import { placeholderAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { buildClaims } from '../../../src/oidc/provider/account.ts'

const user = { id: '1', name: 'Ada', emailVerified: false, updatedAt: 0 }

test('an account without an email address has no claim about one', () => {
  expect(buildClaims({ ...user, email: placeholderAddress('1') })).toEqual({ sub: '1', name: 'Ada', updated_at: 0 })
  expect(buildClaims({ ...user, email: 'ada@acme.example' })).toMatchObject({ email: 'ada@acme.example', email_verified: false })
})
