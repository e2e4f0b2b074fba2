import { overlaps } from '../../../schema/tokens/rules.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { RotateForm } from '../one-time-secret.tsx'
import { idempotencyKeyField } from './idempotency-key.ts'
import type { ListedToken } from './listed-token.ts'
import { RevokeToken } from './revoke-token.tsx'
import { TokenFacts } from './token-facts.tsx'
import { expiresSoon, tokenStateOf } from './token-status.tsx'

/** The content of a token's page: its properties, and the forms to rename, rotate and revoke it. */
export const TokenPage = ({ token, ctx }: { token: ListedToken; ctx: PageContext }) => {
  const now = ctx.site.now()
  const listPath = ctx.path.slice(0, ctx.path.lastIndexOf('/'))
  return (
    <>
      <section>
        <TokenFacts token={token} />
        <p>
          {expiresSoon(token, now) && 'This token expires soon. '}
          <a href={`${listPath}/new?like=${token.id}`}>Create a token like this one</a>
        </p>
      </section>
      {tokenStateOf(token, now) === 'active' && (
        <>
          <RenameSection token={token} />
          <RotateSection token={token} ctx={ctx} />
          <RevokeSection token={token} />
        </>
      )}
    </>
  )
}

const RenameSection = ({ token }: { token: ListedToken }) => (
  <section id="rename">
    <h2>Edit name</h2>
    <Form name="rename">
      <Field name="name" label="Name" maxLength={255} autocomplete="off" value={token.name} />
      <Buttons>
        <Button kind="second">Save name</Button>
      </Buttons>
    </Form>
  </section>
)

const RotateSection = (props: RotateTokenProps) => (
  <section id="rotate">
    <h2>Rotate token</h2>
    <RotateToken {...props} />
  </section>
)

interface RotateTokenProps {
  token: ListedToken
  /** Further hidden fields of the form. */
  hidden?: Record<string, string>
  ctx: PageContext
}

/** The form that gives a token a new value. */
export const RotateToken = ({ token: { previousValue }, hidden, ctx }: RotateTokenProps) => (
  <>
    <p>The token gets a new value, which is shown once. Its permissions and expiration stay the same.</p>
    {previousValue && (
      <p>
        If you rotate it again, the old value <code>{previousValue.hint}</code> expires immediately.
      </p>
    )}
    <RotateForm
      hidden={{ ...hidden, ...idempotencyKeyField(ctx) }}
      noun="value"
      overlaps={overlaps}
      hint="Everything that uses the old value fails."
      checked={3600}
    >
      <Button>Rotate token</Button>
    </RotateForm>
  </>
)

const RevokeSection = ({ token }: { token: ListedToken }) => (
  <section id="revoke">
    <h2>Revoke token</h2>
    <RevokeToken token={token} summary="Revoke…" />
  </section>
)
