import { encode } from 'uqr'
import { z } from 'zod'
import { authenticatorPath, twoFactorPath } from '../../web/page-paths.ts'
import { CopyButton, copyScript } from '../../web/components/copy-button.tsx'
import { form } from '../framework/form.ts'
import { page } from '../framework/page.ts'
import { checkbox, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { ConfirmTotpDocument, MoveTotpDocument, TotpProposalDocument } from '../generated/operations.ts'
import { EndOtherSessions } from './end-other-sessions.tsx'
import { turnedOn } from './recovery-codes.tsx'

const fields = z.object({ encrypted: text, code: text, endOtherSessions: checkbox })

/** Sets up an authenticator app for two-factor authentication, or one that replaces the current app. */
export const authenticator = page({
  path: authenticatorPath,
  title: ({ viewer: { secondFactor } }) =>
    secondFactor.methods.includes('TOTP') ? 'Move the authenticator app' : 'Set up an authenticator app',
  parent: twoFactorPath,
  scripts: [copyScript],
  document: TotpProposalDocument,
  // After a wrong code, the page shows the same secret again, because the user has scanned it already.
  variables: ({ refused }) => ({ encrypted: typeof refused?.values['encrypted'] === 'string' ? refused.values['encrypted'] : null }),
  forms: {
    confirm: form({
      fields,
      document: ConfirmTotpDocument,
      variables: (input) => ({ input }),
      renewsSession: true,
      onSuccess: ({ confirmTotp: { recoveryCodes } }) =>
        recoveryCodes.length > 0
          ? turnedOn(recoveryCodes)
          : { notice: 'The authenticator app was added. Your recovery codes stay the same.', path: twoFactorPath },
    }),
    move: form({
      fields,
      document: MoveTotpDocument,
      variables: (input) => ({ input }),
      renewsSession: true,
      notice: 'The authenticator app was moved. The previous one no longer works, and your recovery codes stay the same.',
      onSuccess: () => twoFactorPath,
    }),
  },
  view({ viewer: { secondFactor, totpProposal } }) {
    const isMove = secondFactor.methods.includes('TOTP')
    return (
      <>
        {isMove && <p>Your current app works until you enter a code from the new app. After that, it no longer works.</p>}
        <section>
          <h2>1. Add your account to the app</h2>
          <p>Scan this QR code with the authenticator app on your phone, or enter the key.</p>
          <QrCode of={totpProposal.uri} label="QR code of the key below" />
          <p id="key-label">Key</p>
          {/* The groups have no spaces between them, so that the copied text has none. */}
          <p class="secret" id="key" aria-labelledby="key-label">
            {totpProposal.secret.match(/.{1,4}/g)?.map((group) => (
              <span>{group}</span>
            ))}
          </p>
          <div class="buttons copying">
            <CopyButton targetId="key">Copy</CopyButton>
          </div>
        </section>
        <section>
          <h2>2. Enter the code</h2>
          <Form name={isMove ? 'move' : 'confirm'} hidden={{ encrypted: totpProposal.encrypted }}>
            <Field name="code" label="Code" inputMode="numeric" autocomplete="one-time-code" hint="The 6-digit code that the app shows." />
            <EndOtherSessions />
            <Buttons>
              <Button>{isMove ? 'Use the new app' : 'Turn on'}</Button>
            </Buttons>
          </Form>
        </section>
      </>
    )
  },
})

/** A QR code as SVG. It is black on white in the dark theme too, because some cameras cannot read an inverted code. */
function QrCode({ of, label }: { of: string; label: string }) {
  const { size, data } = encode(of, { border: 4 })
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  )
}
