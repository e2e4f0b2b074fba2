import { z } from 'zod'
import { overlaps } from '../../../schema/tokens/rules.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { form } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/button.tsx'
import { Choices } from '../../web/components/choices.tsx'
import { Form } from '../../web/components/form.tsx'
import { RevokeTokenDocument, RotateTokenDocument } from '../generated/operations.ts'
import { Name } from '../../web/components/name.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { tokenStateOf, stateLabels, TokenFacts } from './token-list.tsx'
import type { ListedToken } from './token-list.tsx'
import { tokenValuePage } from './token-value-page.tsx'
import { idempotencyKeyField } from './idempotency-key.ts'

const overlapLabels: Record<(typeof overlaps)[number], { label: string; hint?: string }> = {
  0: { label: 'No longer', hint: 'What still uses it fails at once.' },
  3600: { label: 'One hour' },
  86_400: { label: 'One day' },
  604_800: { label: 'Seven days' },
}
const overlapChoice = (seconds: (typeof overlaps)[number]) => ({ value: String(seconds), ...overlapLabels[seconds] })

/** The scripts of a token's page. */
export const tokenScripts = [copyScript]

/** The forms of a token's page. `listPath` returns the path of its list. */
export const tokenForms = (listPath: (ctx: PageContext) => string) => ({
  rotate: form({
    fields: z.object({ overlapSeconds: text, idempotencyKey: text }),
    document: RotateTokenDocument,
    variables: ({ overlapSeconds, idempotencyKey }, ctx) => ({
      input: { id: ctx.param('token'), overlapSeconds: secondsOf(overlapSeconds), idempotencyKey },
    }),
    onSuccess: ({ rotateToken }, ctx) => tokenValuePage(rotateToken, listPath(ctx)),
  }),
  revoke: form({
    fields: z.object({}),
    document: RevokeTokenDocument,
    variables: (_, ctx) => ({ input: { id: ctx.param('token') } }),
    notice: 'The token is revoked. It opens nothing any more.',
    onSuccess: (_, ctx) => listPath(ctx),
  }),
})

/** Returns a number that the schema refuses when the text is not a number of seconds. */
const secondsOf = (text: string) => (/^\d{1,6}$/.test(text) ? Number(text) : -1)

/** The content of a token's page: its properties, rotation and revocation. */
export const TokenPage = ({ token, ctx }: { token: ListedToken; ctx: PageContext }) => {
  const state = tokenStateOf(token, ctx.site.now())
  return (
    <>
      <section>
        <h2>
          <Name>{token.name}</Name> <span class="badge">{stateLabels[state]}</span>
        </h2>
        <TokenFacts token={token} />
      </section>
      {state === 'works' && (
        <section>
          <h2>Rotate the value</h2>
          <p>The token gets a new value, with the same scopes and expiry, which is shown once.</p>
          {token.previousValue && (
            <p>
              The old value <code>{token.previousValue.hint}</code>, which still works, stops working at once if you rotate again.
            </p>
          )}
          <Form name="rotate" hidden={idempotencyKeyField(ctx)}>
            <Choices
              name="overlapSeconds"
              legend="How long the old value keeps working"
              type="radio"
              options={overlaps.map(overlapChoice)}
              checked={['3600']}
            />
            <Buttons>
              <Button>Create a new value</Button>
            </Buttons>
          </Form>
        </section>
      )}
      {state === 'works' && (
        <section>
          <h2>Revoke</h2>
          <p>
            Whatever uses the token fails from then on{token.previousValue ? ', with its old value too' : ''}. A revoked token never works
            again.
          </p>
          <ConfirmDialog summary="Revoke this token" form="revoke" button="Yes, revoke it">
            Are you sure? This cannot be undone.
          </ConfirmDialog>
        </section>
      )}
    </>
  )
}
