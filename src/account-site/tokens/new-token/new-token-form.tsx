import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import type { Scope } from '../../../../schema/core/scopes.ts'
import { list, text } from '../../framework/field-types.ts'
import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { Field } from '../../../web/components/forms/field.tsx'
import { FieldGroup } from '../../../web/components/forms/field-group.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import { idempotencyKeyField } from '../idempotency-key.ts'
import { ExpiryField } from './expiry-field.tsx'
import { PermissionTable } from './permission-table.tsx'
import { Presets } from './presets.tsx'
import type { SimilarToken } from './presets.tsx'

export const newTokenFields = z.object({ name: text, scopes: list, expiresAt: text, day: text, idempotencyKey: text })

interface NewTokenFormProps {
  ctx: PageContext
  /** The latest tokens of the same kind. */
  tokens: readonly SimilarToken[]
  /** True if the user can choose that the token never expires. */
  canBeUnlimited: boolean
  /** The scopes that the token can have. */
  scopes: readonly Scope[]
  /** Groups of fields before the permissions. */
  children?: ComponentChildren
}

/** Fields for the name, permissions and expiration of a token. `like` in the address is the token whose properties it copies. */
export const NewTokenForm = ({ ctx, tokens, canBeUnlimited, scopes, children }: NewTokenFormProps) => {
  const now = ctx.site.now()
  const usable = tokens.filter(({ revokedAt }) => revokedAt === null)
  const like = usable.find(({ id }) => id === ctx.query.get('like'))
  return (
    <Form name="create" hidden={idempotencyKeyField(ctx)}>
      <FieldGroup id="name" title="Name and expiration" about="Requests with an expired token fail.">
        <Field
          name="name"
          label="Name"
          maxLength={255}
          autocomplete="off"
          hint="Describes where the token is used, such as a script or a server."
        />
        <ExpiryField now={now} canBeUnlimited={canBeUnlimited} />
      </FieldGroup>
      {children}
      <FieldGroup
        id="permissions"
        title="Permissions"
        about={
          <>
            <p>Select only what the token needs.</p>
            <p>
              Write permission does not include read permission. If the token must both read and change something, select Read and Write.
            </p>
            <p>Open a row to see what its permissions allow, and their names in the API.</p>
          </>
        }
      >
        {/* Enter in a field presses the first button of the form, which must not be a preset. */}
        <button type="submit" class="visually-hidden" tabIndex={-1} aria-hidden="true">
          Create token
        </button>
        <Presets scopes={scopes} action={`${ctx.url}#permissions`} tokens={usable} selected={like?.id ?? null} now={now} />
        <PermissionTable scopes={scopes} initial={like?.scopes ?? []} />
      </FieldGroup>
      <Buttons>
        <Button>Create token</Button>
        <a class="button second" href={ctx.path.replace(/\/new$/, '')}>
          Cancel
        </a>
      </Buttons>
    </Form>
  )
}
