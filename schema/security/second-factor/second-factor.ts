import { builder } from '../../builder/builder.ts'
import { payloadType } from '../../builder/payload-type.ts'
import { enumType } from '../../builder/enum-type.ts'
import { sessionOnly } from '../../core/requires.ts'
import { requirePerson } from '../../core/team-access/team-access.ts'
import { ViewerType } from '../../viewer/viewer.ts'
import type { SecondFactorMethod } from './methods.ts'
import { findSecondFactor } from './methods.ts'

export const SecondFactorMethodType = enumType(
  'SecondFactorMethod',
  'A method of two-factor authentication: a code of an authenticator app (`TOTP`), or a passkey.',
  {
    totp: 'A code of an authenticator app (RFC 6238).',
    passkey: 'A passkey (WebAuthn).',
  } satisfies Record<SecondFactorMethod, string>,
)

interface SecondFactor {
  methods: SecondFactorMethod[]
  recoveryCodesLeft: number
}

const SecondFactorType = builder.objectRef<SecondFactor>('SecondFactor').implement({
  description: 'What a sign-in with a password requires in addition: a code of an authenticator app, a passkey, or a recovery code.',
  fields: (t) => ({
    isOn: t.boolean({ description: 'Whether two-factor authentication is on.', resolve: ({ methods }) => methods.length > 0 }),
    methods: t.expose('methods', {
      type: [SecondFactorMethodType],
      description: 'The methods, any of which is sufficient. Empty if two-factor authentication is off.',
    }),
    recoveryCodesLeft: t.exposeInt('recoveryCodesLeft', { description: 'Number of unused recovery codes.' }),
  }),
})

builder.objectField(ViewerType, 'secondFactor', (t) =>
  t.field({
    description: 'Two-factor authentication of the signed-in user. For account-site sessions.',
    type: SecondFactorType,
    requires: sessionOnly,
    resolve: (_, __, context) => findSecondFactor(context.database, requirePerson(context).user.id),
  }),
)

/** The payload of mutations that create recovery codes. */
export const RecoveryCodesPayload = payloadType<{ recoveryCodes: string[] }>('RecoveryCodesPayload', {
  description: 'New recovery codes. All earlier ones are invalid.',
  fields: (t) => ({
    recoveryCodes: t.exposeStringList('recoveryCodes', {
      description: 'Recovery codes. Each can be used once instead of another method. They cannot be read again.',
    }),
  }),
})
