import { z } from 'zod'
import { securityPath } from '../addresses.ts'
import { copyScript } from '../copy-button.tsx'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import {
  DeletePasskeyDocument,
  DisableSecondFactorDocument,
  RegenerateRecoveryCodesDocument,
  RenamePasskeyDocument,
  RequirePasskeyDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  SecurityDocument,
} from '../generated/operations.ts'
import { Passkeys } from './passkeys.tsx'
import { recoveryCodesPage } from './recovery-codes.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

const byId = z.object({ id: text })
const nothing = z.object({})

/** What somebody signs in with, and where they are signed in. */
export const security = page({
  path: securityPath,
  title: 'Security',
  nav: { in: 'account', label: 'Security', order: 20 },
  scripts: [copyScript],
  document: SecurityDocument,
  forms: {
    'require-passkey': form({
      fields: nothing,
      document: RequirePasskeyDocument,
      variables: () => ({}),
      renews: true,
      done: ({ requirePasskey }) => recoveryCodesPage(requirePasskey.recoveryCodes),
    }),
    'new-codes': form({
      fields: nothing,
      document: RegenerateRecoveryCodesDocument,
      variables: () => ({}),
      done: ({ regenerateRecoveryCodes }) => recoveryCodesPage(regenerateRecoveryCodes.recoveryCodes),
    }),
    'turn-off': form({
      fields: nothing,
      document: DisableSecondFactorDocument,
      variables: () => ({}),
      notice: 'The second factor is off.',
      renews: true,
    }),
    rename: form({
      fields: byId.extend({ name: text }),
      document: RenamePasskeyDocument,
      variables: (input) => ({ input }),
      notice: 'The passkey has a new name.',
    }),
    delete: form({
      fields: byId,
      document: DeletePasskeyDocument,
      variables: (input) => ({ input }),
      notice: 'The passkey was deleted. Remove it from your device too.',
      renews: true,
    }),
    revoke: form({
      fields: byId,
      document: RevokeSessionDocument,
      variables: (input) => ({ input }),
      notice: 'The browser was signed out.',
    }),
    'revoke-others': form({
      fields: nothing,
      document: RevokeOtherSessionsDocument,
      variables: () => ({}),
      notice: 'All other browsers were signed out.',
    }),
  },
  view: ({ viewer: { secondFactor, passkeys, sessions } }, { refused }) => (
    <>
      <section>
        <h2>Password</h2>
        <p>
          <a href="/account/password">Change your password</a>
        </p>
      </section>
      <SecondFactor {...secondFactor} hasPasskey={passkeys.length > 0} />
      <Passkeys passkeys={passkeys} openId={refused?.name === 'rename' ? refused.values['id'] : undefined} />
      <Sessions sessions={sessions} />
    </>
  ),
})
