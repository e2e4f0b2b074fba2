import { builder } from './builder.ts'

/** What is told of an account to somebody who may not be its owner: the address they gave, or opened a link at. */
export const EmailPayload = builder.objectRef<{ email: string }>('EmailPayload').implement({
  description: 'An e-mail address that was dealt with. Whether there is an account is not said.',
  fields: (t) => ({ email: t.exposeString('email', { description: 'The address, as accounts have it.' }) }),
})
