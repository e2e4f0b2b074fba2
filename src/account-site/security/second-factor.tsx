import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { copyScript } from '../../web/components/copy-button.tsx'
import { Buttons } from '../../web/components/forms/button.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { authenticatorPath, passkeysPath, securityPath, twoFactorPath } from '../../web/page-paths.ts'
import { counted } from '../labels.ts'
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
import { recoveryCodesPage, turnedOn } from './recovery-codes.tsx'

const endingSessions = z.object({ endOtherSessions: checkbox })

/** The state of two-factor authentication, with the forms that turn it on or off. */
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
      onSuccess: ({ requirePasskey }) => turnedOn(requirePasskey.recoveryCodes),
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
    secondFactor.isOn ? <On {...secondFactor} passkeys={passkeys.length} /> : <Off hasPasskey={passkeys.length > 0} />,
})

type State = TwoFactorQuery['viewer']['secondFactor'] & { passkeys: number }

const On = ({ methods, recoveryCodesLeft, passkeys }: State) => (
  <>
    <section>
      <p>
        Two-factor authentication is <strong>on</strong>. After your password, you enter{' '}
        {[...methods.map((method) => methodLabels[method]), 'a recovery code'].join(' or ')}.
      </p>
      <ul class="entries">
        <Method name="Authenticator app" state={methods.includes('TOTP') ? 'Set up' : 'Not set up'}>
          <a href={authenticatorPath}>{methods.includes('TOTP') ? 'Move to another phone' : 'Set up an authenticator app'}</a>
        </Method>
        <Method name="Passkeys" state={counted(passkeys, 'passkey', 'passkeys')}>
          <a href={passkeysPath}>Manage passkeys</a>
        </Method>
        <Method name="Recovery codes" state={`${recoveryCodesLeft} left`}>
          <ConfirmDialog summary="Create new recovery codes" form="new-codes" button="Create new recovery codes" isHarmless>
            Your current recovery codes stop working. Save the new codes before you leave the next page.
          </ConfirmDialog>
        </Method>
      </ul>
    </section>
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

const Method = ({ name, state, children }: { name: string; state: string; children: ComponentChildren }) => (
  <li>
    <div>
      <strong>{name}</strong>
      <p class="hint">{state}</p>
    </div>
    <div>{children}</div>
  </li>
)

const Off = ({ hasPasskey }: { hasPasskey: boolean }) => (
  <section>
    <p>
      Two-factor authentication is <strong>off</strong>. Turn it on so that your password alone is not enough to sign in: use an
      authenticator app
      {hasPasskey ? (
        ' or your passkeys.'
      ) : (
        <>
          , or <a href={`${passkeysPath}/new`}>a passkey once you have added one</a>.
        </>
      )}
    </p>
    <Buttons>
      <a class="button" href={authenticatorPath}>
        Set up an authenticator app
      </a>
      {hasPasskey && (
        <ConfirmDialog
          summary="Use my passkeys as the second step"
          form="require-passkey"
          button="Use my passkeys as the second step"
          fields={<EndOtherSessions of="require-passkey" />}
          isHarmless
        >
          After your password, you then use one of your passkeys or a recovery code. The next page shows your recovery codes.
        </ConfirmDialog>
      )}
    </Buttons>
  </section>
)
