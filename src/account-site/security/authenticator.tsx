import { z } from 'zod'
import { securityPath } from '../addresses.ts'
import { copyScript } from '../copy-button.tsx'
import { form, page } from '../declaration.ts'
import { text } from '../fields.ts'
import { Button, Buttons, Field, Form } from '../form.tsx'
import { ConfirmTotpDocument, TotpProposalDocument } from '../generated/operations.ts'
import { QrCode } from './qr-code.tsx'
import { recoveryCodesPage } from './recovery-codes.tsx'

/** Where an authenticator application becomes a second factor. */
export const authenticator = page({
  path: '/security/authenticator',
  title: 'Set up an authenticator application',
  scripts: [copyScript],
  document: TotpProposalDocument,
  // A code that was mistyped is for the secret that was scanned: it is proposed again.
  variables: ({ refused }) => ({ sealed: typeof refused?.values['sealed'] === 'string' ? refused.values['sealed'] : null }),
  forms: {
    confirm: form({
      fields: z.object({ sealed: text, code: text }),
      document: ConfirmTotpDocument,
      variables: (input) => ({ input }),
      renews: true,
      done: ({ confirmTotp }) => recoveryCodesPage(confirmTotp.recoveryCodes),
    }),
  },
  view: ({ viewer: { secondFactor, totpProposal } }) =>
    secondFactor.methods.includes('TOTP') ? (
      <p>
        An authenticator application is set up already. To use another, turn the second factor off at <a href={securityPath}>Security</a>{' '}
        first.
      </p>
    ) : (
      <>
        <section>
          <h2>1. Add your account to the application</h2>
          <p>Scan this code with the application on your phone, or type the key in there.</p>
          <QrCode of={totpProposal.uri} label="QR code of the key below" />
          <p id="key-label">Key</p>
          <p class="secret" aria-labelledby="key-label">
            {(totpProposal.secret.match(/.{1,4}/g) ?? []).join(' ')}
          </p>
        </section>
        <section>
          <h2>2. Show that it works</h2>
          <Form name="confirm" hidden={{ sealed: totpProposal.sealed }}>
            <Field
              name="code"
              label="Code"
              inputMode="numeric"
              autocomplete="one-time-code"
              hint="The six digits that the application shows now."
            />
            <Buttons>
              <Button>Turn on</Button>
            </Buttons>
          </Form>
        </section>
      </>
    ),
})
