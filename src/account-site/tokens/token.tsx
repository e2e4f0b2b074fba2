import { z } from 'zod'
import { seconds, text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { RenameTokenDocument, RotateTokenDocument, PersonalTokenDocument, TeamTokenDocument } from '../generated/operations.ts'
import { revokeToken, RevokeToken } from './revoke-token.tsx'
import { tokenValuePage } from './token-value-page.tsx'
import { quoteName, isolateName } from '../../web/display-name.ts'
import { copyScript } from '../../web/components/copy-button.tsx'
import { page } from '../framework/page.ts'
import { personalTokensPath } from '../../web/page-paths.ts'
import { teamTokensPath } from './token-lists.tsx'
import { TokenStatus, expiresSoon, getTokenState } from './token-status.tsx'
import { tokenOverlaps } from '../../../schema/tokens/rules.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Field } from '../../web/components/forms/field.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { RotateForm } from '../one-time-secret.tsx'
import { idempotencyKeyField } from './idempotency-key.ts'
import type { ListedToken } from './listed-token.ts'
import { TokenFacts } from './token-facts.tsx'

/** The forms of a token's page. `listPath` returns the path of its list. */
const tokenForms = (listPath: (ctx: PageContext) => string) => ({
  rename: form({
    fields: z.object({ name: text }),
    document: RenameTokenDocument,
    variables: ({ name }, ctx) => ({ input: { id: ctx.param('token'), name } }),
    notice: (_, __, { name }) => `The token is now called ${quoteName(name)}.`,
  }),
  rotate: form({
    fields: z.object({ overlapSeconds: seconds, idempotencyKey: text }),
    document: RotateTokenDocument,
    variables: ({ overlapSeconds, idempotencyKey }, ctx) => ({
      input: { id: ctx.param('token'), overlapSeconds, idempotencyKey },
    }),
    onSuccess: ({ rotateToken }, ctx) => tokenValuePage(rotateToken, listPath(ctx)),
  }),
  revoke: revokeToken(listPath),
})

/** A personal token, with forms to rename, rotate and revoke it. */
export const personalToken = page({
  path: `${personalTokensPath}/:token`,
  title: ({ viewer }) => isolateName(viewer.token.name),
  badge: ({ viewer }, { site }) => <TokenStatus token={viewer.token} now={site.now()} />,
  parent: personalTokensPath,
  scripts: [copyScript],
  document: PersonalTokenDocument,
  variables: (ctx) => ({ id: ctx.param('token') }),
  forms: tokenForms(() => personalTokensPath),
  view: ({ viewer }, ctx) => <TokenPage token={viewer.token} ctx={ctx} />,
})

/** A team token, with forms to rename, rotate and revoke it. */
export const teamToken = page({
  path: '/teams/:team/tokens/:token',
  title: ({ team }) => isolateName(team.token.name),
  badge: ({ team }, { site }) => <TokenStatus token={team.token} now={site.now()} />,
  parent: '/teams/:team/tokens',
  scripts: [copyScript],
  document: TeamTokenDocument,
  variables: (ctx) => ({ team: ctx.param('team'), id: ctx.param('token') }),
  forms: tokenForms(teamTokensPath),
  view: ({ team }, ctx) => <TokenPage token={team.token} ctx={ctx} />,
})

/** The content of a token's page: its properties, and the forms to rename, rotate and revoke it. */
const TokenPage = ({ token, ctx }: { token: ListedToken; ctx: PageContext }) => {
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
      {getTokenState(token, now) === 'active' && (
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
  <FieldGroup id="rename" title="Rename token" about="The name describes where the token is used.">
    <Form name="rename">
      <Field name="name" label="Name" maxLength={255} autocomplete="off" value={token.name} />
      <Buttons>
        <Button kind="second">Save name</Button>
      </Buttons>
    </Form>
  </FieldGroup>
)

const RotateSection = (props: RotateTokenProps) => (
  <FieldGroup id="rotate" title="Rotate token" about={aboutRotation}>
    <RotateToken {...props} />
  </FieldGroup>
)

/** Explanation of `RotateToken`. */
export const aboutRotation = 'The token gets a new value, which is shown once. Its permissions and expiration stay the same.'

interface RotateTokenProps {
  token: ListedToken
  /** Further hidden fields of the form. */
  hidden?: Record<string, string>
  ctx: PageContext
}

/** The form that gives a token a new value. */
export const RotateToken = ({ token: { previousValue }, hidden, ctx }: RotateTokenProps) => (
  <>
    {previousValue && (
      <p>
        If you rotate it again, the old value <code>{previousValue.hint}</code> expires immediately.
      </p>
    )}
    <RotateForm
      hidden={{ ...hidden, ...idempotencyKeyField(ctx) }}
      noun="value"
      overlaps={tokenOverlaps}
      hint="Everything that uses the old value stops working."
      checked={3600}
    >
      <Button kind="second">Rotate token</Button>
    </RotateForm>
  </>
)

const RevokeSection = ({ token }: { token: ListedToken }) => (
  <FieldGroup id="revoke" title="Revoke token" about="Everything that uses the token stops working immediately." isDangerous>
    <RevokeToken token={token} summary="Revoke…" />
  </FieldGroup>
)
