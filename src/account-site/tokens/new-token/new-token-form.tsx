import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { list, text } from '../../framework/field-types.ts'
import { Button, Buttons } from '../../../web/components/forms/button.tsx'
import { Choices } from '../../../web/components/forms/choices.tsx'
import { Field } from '../../../web/components/forms/field.tsx'
import { Form } from '../../../web/components/forms/form.tsx'
import { tokenScopeGroups } from '../../../web/components/scope-list.tsx'
import type { PageContext } from '../../framework/page-context.ts'
import { lastDay, lifetimes, unlimited } from '../expiry.ts'
import { idempotencyKeyField } from '../idempotency-key.ts'

export const newTokenFields = z.object({ name: text, scopes: list, expiresAt: text, day: text, idempotencyKey: text })

interface NewTokenFormProps {
  ctx: PageContext
  /** Whether the user can choose that the token never expires. */
  canBeUnlimited: boolean
  /** Whether the token can have the scopes of staff. */
  isOfStaff?: boolean
  /** Fields between the permissions and the expiration. */
  children?: ComponentChildren
}

/** Fields for the name, permissions and expiration of a token. */
export const NewTokenForm = ({ ctx, canBeUnlimited, isOfStaff = false, children }: NewTokenFormProps) => (
  <Form name="create" hidden={idempotencyKeyField(ctx)}>
    <Field
      name="name"
      label="Name"
      maxLength={255}
      autocomplete="off"
      hint="Describes where the token is used, such as a script or a server."
    />
    <fieldset>
      <legend>Permissions</legend>
      <p class="hint">Choose only what the token needs.</p>
      {tokenScopeGroups(isOfStaff).map(({ product, name, choices }, index) => (
        <Choices
          id={`scopes-${product}`}
          name="scopes"
          legend={name}
          noun="permission"
          type="checkbox"
          options={choices}
          hasMessages={index === 0}
        />
      ))}
    </fieldset>
    {children}
    <Choices
      name="expiresAt"
      legend="Expiration"
      type="radio"
      options={[...lifetimes, ...(canBeUnlimited ? [unlimited] : [])]}
      checked={['30']}
    />
    <div class="opened">
      <Field
        name="day"
        label="Custom date"
        type="date"
        required={false}
        min={ctx.site.now().toISOString().slice(0, 10)}
        {...(!canBeUnlimited && { max: lastDay(ctx.site.now()), hint: 'Within a year. The token expires at the end of the day, UTC.' })}
      />
    </div>
    <Buttons>
      <Button>Create token</Button>
    </Buttons>
  </Form>
)
