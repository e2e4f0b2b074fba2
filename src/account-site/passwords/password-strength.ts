import { z } from 'zod'
import { strengthOf } from '../../../schema/accounts/passwords/password.ts'
import type { PasswordOwner, Strength } from '../../../schema/accounts/passwords/password.ts'
import { form } from '../framework/form.ts'
import type { Form } from '../framework/form.ts'
import { text } from '../framework/field-types.ts'
import type { PageContext } from '../framework/page-context.ts'

/** The name of the form in every page that sets a password. */
export const strengthForm = 'strength'

const words: Record<Strength, string> = {
  length: 'This password is too long.',
  common: 'Easy to guess. Add unrelated words.',
  own: 'Too close to a name. Add other words.',
  fair: 'Good password.',
  strong: 'Strong password.',
}

/**
 * Says how good a password is while the user types it, by the rule by which the operations refuse it. The dictionaries of that rule are too
 * large for a page. Nothing is stored.
 */
export const passwordStrength = (findOwner: (typed: PasswordOwner, ctx: PageContext) => PasswordOwner | Promise<PasswordOwner>): Form =>
  form({
    fields: z.object({ password: text, name: text, email: text }),
    async submit({ password, ...typed }, ctx) {
      const strength = strengthOf(ctx.graphqlContext, password, await findOwner(typed, ctx))
      return { json: { strength, text: words[strength] } }
    },
  })
