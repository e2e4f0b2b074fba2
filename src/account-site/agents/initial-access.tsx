import { z } from 'zod'
import { defaultInitialAccessDays, maxInitialAccessTokens } from '../../../schema/agents/initial-access-token.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Choices } from '../../web/components/forms/choices.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { Table } from '../../web/components/lists/table.tsx'
import { DateTime, RelativeTime } from '../../web/components/time.tsx'
import { text } from '../framework/field-types.ts'
import { form } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'
import { CreateInitialAccessTokenDocument, DeleteInitialAccessTokenDocument } from '../generated/operations.ts'
import type { AgentsQuery } from '../generated/operations.ts'
import { counted } from '../labels.ts'
import { OneTimeSecret } from '../one-time-secret.tsx'
import { daysAfter } from '../tokens/expiry.ts'
import { idempotencyKeyField } from '../tokens/idempotency-key.ts'

/** Lifetimes that owners can choose, in days. */
const lifetimes = ['1', String(defaultInitialAccessDays), '30', '90'] as const

export const createInitialAccess = form({
  fields: z.object({ days: z.enum(lifetimes), idempotencyKey: text }),
  document: CreateInitialAccessTokenDocument,
  variables: ({ days, idempotencyKey }, ctx) => ({
    input: { team: ctx.param('team'), expiresAt: daysAfter(ctx.site.now(), Number(days)).toISOString(), idempotencyKey },
  }),
  onSuccess: ({ createInitialAccessToken: { token, value } }, ctx) => ({
    title: 'Copy the initial access token',
    content: (
      <OneTimeSecret
        intro="Give this token to the agent that registers itself. Copy it now:"
        secret={value}
        next={{ path: ctx.path, label: 'Done' }}
      >
        <p>
          Until <DateTime at={token.expiresAt} />, software that has the token can register apps for this team. It gives no access to data.
        </p>
      </OneTimeSecret>
    ),
  }),
})

export const deleteInitialAccess = form({
  fields: z.object({ id: text }),
  document: DeleteInitialAccessTokenDocument,
  variables: (input) => ({ input }),
  notice: ({ deleteInitialAccessToken: { token } }) => `The initial access token ${token.hint} was deleted.`,
})

type Tokens = NonNullable<AgentsQuery['owned']>['agents']['initialAccessTokens']

/** The tokens with which agents register themselves. */
export const InitialAccessSection = ({ tokens, ctx }: { tokens: Tokens; ctx: PageContext }) => {
  const isOpen = ctx.graphqlContext.clientRegistration !== 'closed'
  const isFull = tokens.filter(({ expiresAt }) => new Date(expiresAt) > ctx.site.now()).length >= maxInitialAccessTokens
  return (
    <FieldGroup
      id="registration"
      title="Agents that register themselves"
      about={
        <>
          <p>
            Other agents have no such URL, and register themselves as an app of your team instead. For this, an agent needs an initial
            access token.
          </p>
          <p>
            You find the registered app under <a href={`/teams/${ctx.param('team')}/developers`}>Apps</a>. Only members of the team can
            connect it.
          </p>
        </>
      }
    >
      {tokens.length > 0 && <TokenTable tokens={tokens} ctx={ctx} />}
      {!isOpen ? (
        <p class="hint">Only operators of this service can register apps.</p>
      ) : isFull ? (
        <p class="hint">A team can have {maxInitialAccessTokens} initial access tokens. Delete one to create another.</p>
      ) : (
        <Form name="create-token" hidden={idempotencyKeyField(ctx)}>
          <Choices
            name="days"
            legend="The token expires in"
            noun="when the token expires"
            type="radio"
            options={lifetimes.map((value) => ({ value, label: counted(Number(value), 'day', 'days') }))}
            checked={[String(defaultInitialAccessDays)]}
            isCompact
          />
          <Buttons>
            <Button kind="second">Create initial access token</Button>
          </Buttons>
        </Form>
      )}
    </FieldGroup>
  )
}

const TokenTable = ({ tokens, ctx }: { tokens: Tokens; ctx: PageContext }) => (
  <Table label="Initial access tokens">
    <thead>
      <tr>
        <th scope="col">Token</th>
        <th scope="col">Created by</th>
        <th scope="col">Last used</th>
        <th scope="col">Expires</th>
        <td />
      </tr>
    </thead>
    <tbody>
      {tokens.map(({ tokenId, hint, createdBy, lastUsedAt, expiresAt }) => (
        <tr>
          <th scope="row">
            <code>{hint}</code>
          </th>
          <td data-label="Created by">
            <bdi>{createdBy?.name ?? 'Deleted account'}</bdi>
          </td>
          <td data-label="Last used">
            <RelativeTime at={lastUsedAt} />
          </td>
          <td data-label="Expires">
            {new Date(expiresAt) > ctx.site.now() ? <RelativeTime at={expiresAt} /> : <span class="badge">Expired</span>}
          </td>
          <td class="amount">
            <ConfirmDialog summary="Delete…" objectName={hint} form="delete-token" hidden={{ id: tokenId }} button="Delete this token">
              No further app can be registered with the token. Apps that are registered already remain.
            </ConfirmDialog>
          </td>
        </tr>
      ))}
    </tbody>
  </Table>
)
