import { z } from 'zod'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { securityPath, twoFactorPath } from '../../web/page-paths.ts'
import { checkbox } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import {
  DisableSecondFactorDocument,
  RegenerateRecoveryCodesDocument,
  RequirePasskeyDocument,
  TwoFactorDocument,
} from '../generated/operations.ts'
import type { TwoFactorQuery } from '../generated/operations.ts'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { recoveryCodesPage } from './recovery-codes.tsx'

const endingSessions = z.object({ endOtherSessions: checkbox })

/** The state of two-factor authentication, with the forms to turn it on or off. */
export const twoFactor = page({
  path: twoFactorPath,
  title: 'Two-factor authentication',
  parent: securityPath,
  scripts: [copyScript],
  document: TwoFactorDocument,
  forms: {
    'require-passkey': form({
      fields: endingSessions,
      document: RequirePasskeyDocument,
      variables: (input) => ({ input }),
      renewsSession: true,
      onSuccess: ({ requirePasskey }) => recoveryCodesPage(requirePasskey.recoveryCodes),
    }),
    'new-codes': form({
      fields: z.object({}),
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
  },
  view: ({ viewer: { secondFactor, passkeys } }) =>
    secondFactor.isOn ? <On {...secondFactor} /> : <Off hasPasskey={passkeys.length > 0} />,
})

type State = TwoFactorQuery['viewer']['secondFactor']

const On = ({ methods, recoveryCodesLeft }: State) => (
  <>
    <p>
      Two-factor authentication is <strong>on</strong>. You have {recoveryCodesLeft} unused recovery{' '}
      {recoveryCodesLeft === 1 ? 'code' : 'codes'}.
    </p>
    <p>After your password, you enter {[...methods.map((method) => methodLabels[method]), 'a recovery code'].join(' or ')}.</p>
    {methods.includes('TOTP') ? (
      <p>
        <a href="/security/authenticator">Move the authenticator app to another phone</a>
      </p>
    ) : (
      <SetUp />
    )}
    <ConfirmDialog summary="Create new recovery codes" form="new-codes" button="Create new recovery codes">
      Your current recovery codes stop working. Save the new codes before you leave the next page.
    </ConfirmDialog>
    <ConfirmDialog
      summary="Turn off two-factor authentication"
      form="turn-off"
      button="Turn off two-factor authentication"
      fields={<EndOtherSessions of="turn-off" />}
    >
      Anyone who knows your password can then sign in. Your authenticator app is removed and your recovery codes stop working.
    </ConfirmDialog>
  </>
)

const methodLabels = { TOTP: 'a code from your authenticator app', PASSKEY: 'your passkey' } as const

const Off = ({ hasPasskey }: { hasPasskey: boolean }) => (
  <>
    <p>
      Two-factor authentication is <strong>off</strong>. Turn it on so that your password alone is not enough to sign in: use an
      authenticator app{hasPasskey ? ' or your passkeys' : ', or a passkey once you have added one'}.
    </p>
    {hasPasskey && (
      <Form name="require-passkey">
        <EndOtherSessions of="require-passkey" />
        <Buttons>
          <Button kind="second">Use my passkeys as the second step</Button>
        </Buttons>
      </Form>
    )}
    <SetUp />
  </>
)

const SetUp = () => (
  <p>
    <a href="/security/authenticator">Set up an authenticator app</a>
  </p>
)
