import { payloadType } from '../../builder/payload-type.ts'

/** The payload for callers who may not own the account. It contains only the address that they entered, or that their link is for. */
export const EmailPayload = payloadType<{ email: string }>('EmailPayload', {
  description: 'The email address of the request. The payload does not reveal whether there is an account.',
  fields: (t) => ({ email: t.exposeString('email', { description: 'The email address, in the form in which accounts store it.' }) }),
})
