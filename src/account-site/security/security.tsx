import { z } from 'zod'
import { securityPath } from '../../web/page-paths.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import {
  DeletePasskeyDocument,
  DisableSecondFactorDocument,
  RegenerateRecoveryCodesDocument,
  RenamePasskeyDocument,
  RequirePasskeyDocument,
  RevokeOtherSessionsDocument,
  RevokeSessionDocument,
  RevokeTrustedDeviceDocument,
  SecurityDocument,
} from '../generated/operations.ts'
import { Passkeys } from './passkeys.tsx'
import { recoveryCodesPage } from './recovery-codes.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { TrustedDevices } from './trusted-devices.tsx'
import { quoteName } from '../../web/display-name.ts'

const byId = z.object({ id: text })
const nothing = z.object({})
const endingSessions = z.object({ endOtherSessions: checkbox })

/** The password, second factor, passkeys, trusted devices and sessions of the signed-in user. */
export const security = page({
  path: securityPath,
  title: 'Security',
  nav: { section: 'account', label: 'Security', icon: 'lock', order: 20 },
  scripts: [copyScript],
  document: SecurityDocument,
  forms: {
    'require-passkey': form({
      fields: endingSessions,
      document: RequirePasskeyDocument,
      variables: (input) => ({ input }),
      renewsSession: true,
      onSuccess: ({ requirePasskey }) => recoveryCodesPage(requirePasskey.recoveryCodes),
    }),
    'new-codes': form({
      fields: nothing,
      document: RegenerateRecoveryCodesDocument,
      variables: () => ({}),
      onSuccess: ({ regenerateRecoveryCodes }) => recoveryCodesPage(regenerateRecoveryCodes.recoveryCodes),
    }),
    'turn-off': form({
      fields: endingSessions,
      document: DisableSecondFactorDocument,
      variables: (input) => ({ input }),
      notice: 'Two-factor authentication was turned off.',
      renewsSession: true,
    }),
    rename: form({
      fields: byId.extend({ name: text }),
      document: RenamePasskeyDocument,
      variables: (input) => ({ input }),
      notice: ({ renamePasskey: { passkey } }) => `The passkey is now called ${quoteName(passkey.name)}.`,
    }),
    delete: form({
      fields: endingSessions.extend(byId.shape),
      document: DeletePasskeyDocument,
      variables: (input) => ({ input }),
      notice: ({ deletePasskey: { passkey } }) => `The passkey ${quoteName(passkey.name)} was deleted. Also remove it from your device.`,
      renewsSession: true,
    }),
    revoke: form({
      fields: byId,
      document: RevokeSessionDocument,
      variables: (input) => ({ input }),
      notice: ({ revokeSession: { session } }) => `The browser ${quoteName(session.device)} was signed out.`,
    }),
    'revoke-others': form({
      fields: nothing,
      document: RevokeOtherSessionsDocument,
      variables: () => ({}),
      notice: 'All other browsers were signed out.',
    }),
    'revoke-trust': form({
      fields: byId,
      document: RevokeTrustedDeviceDocument,
      variables: (input) => ({ input }),
      notice: ({ revokeTrustedDevice: { trustedDevice } }) => `The device ${quoteName(trustedDevice.device)} is no longer trusted.`,
    }),
  },
  view: ({ viewer: { secondFactor, passkeys, trustedDevices, sessions } }, { refused }) => (
    <>
      <section>
        <h2>Password</h2>
        <p>
          <a href="/account/password">Change password</a>
        </p>
      </section>
      <SecondFactor {...secondFactor} hasPasskey={passkeys.length > 0} />
      <Passkeys passkeys={passkeys} openId={refused?.name === 'rename' ? refused.values['id'] : undefined} />
      {trustedDevices.length > 0 && <TrustedDevices devices={trustedDevices} />}
      <Sessions sessions={sessions} hasTrustedDevices={trustedDevices.some(({ isCurrent }) => !isCurrent)} />
    </>
  ),
})
