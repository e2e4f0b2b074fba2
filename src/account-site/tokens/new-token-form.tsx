import { z } from 'zod'
import { list, text } from '../framework/field-types.ts'
import { Button, Buttons } from '../../web/components/button.tsx'
import { Choices } from '../../web/components/choices.tsx'
import { Field } from '../../web/components/field.tsx'
import { Form } from '../../web/components/form.tsx'
import { tokenScopeGroups } from '../../web/components/scope-list.tsx'
import type { PageContext } from '../framework/page-context.ts'
import { lastDay, lifetimes, unlimited } from './expiry.ts'
import { idempotencyKeyField } from './idempotency-key.ts'

export const newTokenFields = z.object({ name: text, scopes: list, expiresAt: text, day: text, idempotencyKey: text })

interface NewTokenFormProps {
  ctx: PageContext
  /** Whether the user can choose that the token never expires. */
  canBeUnlimited: boolean
}

/** Fields for the name, scopes and expiry of a token. */
export const NewTokenForm = ({ ctx, canBeUnlimited }: NewTokenFormProps) => (
  <Form name="create" hidden={idempotencyKeyField(ctx)}>
    <Field name="name" label="Name" maxLength={255} autocomplete="off" hint="What uses it, such as a script or a machine." />
    <fieldset>
      <legend>What it may do</legend>
      <p class="hint">Give it no more than it needs.</p>
      {tokenScopeGroups.map(({ product, name, choices }) => (
        <Choices id={`scopes-${product}`} name="scopes" legend={name} type="checkbox" options={choices} />
      ))}
    </fieldset>
    <Choices
      name="expiresAt"
      legend="How long it works"
      type="radio"
      options={[...lifetimes, ...(canBeUnlimited ? [unlimited] : [])]}
      checked={['30']}
    />
    <div class="opened">
      <Field
        name="day"
        label="That day"
        type="date"
        required={false}
        min={ctx.site.now().toISOString().slice(0, 10)}
        {...(!canBeUnlimited && { max: lastDay(ctx.site.now()), hint: 'A year ahead at most.' })}
      />
    </div>
    <Buttons>
      <Button>Create token</Button>
    </Buttons>
  </Form>
)
