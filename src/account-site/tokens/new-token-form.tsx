import { z } from 'zod'
import { list, text } from '../fields.ts'
import { Button, Buttons, Choices, Field, Form } from '../form.tsx'
import { tokenScopeGroups } from '../scope-words.tsx'
import type { Visit } from '../visit.ts'
import { lastDay, lifetimes, unlimited } from './expiry.ts'
import { singleUse } from './single-use.ts'

/** What the form sends. */
export const newTokenFields = z.object({ name: text, scopes: list, expiresAt: text, day: text, idempotencyKey: text })

interface NewTokenFormProps {
  visit: Visit
  /** Whether it may work for ever. */
  mayLast: boolean
}

/** Asks what a token is called, what it may do and until when. */
export const NewTokenForm = ({ visit, mayLast }: NewTokenFormProps) => (
  <Form name="create" hidden={singleUse(visit)}>
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
      options={[...lifetimes, ...(mayLast ? [unlimited] : [])]}
      checked={['30']}
    />
    <div class="opened">
      <Field
        name="day"
        label="That day"
        type="date"
        required={false}
        min={visit.site.now().toISOString().slice(0, 10)}
        {...(!mayLast && { max: lastDay(visit.site.now()), hint: 'A year ahead at most.' })}
      />
    </div>
    <Buttons>
      <Button>Create token</Button>
    </Buttons>
  </Form>
)
