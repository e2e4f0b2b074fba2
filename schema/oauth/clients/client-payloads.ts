import { payloadType } from '../../builder/payload-type.ts'
import { ClientType } from './client.ts'

// These are the payloads of the mutations of clients, by operators and by the teams that own them.

type Client = typeof ClientType.$inferType

const client = { type: ClientType, description: 'The client.' } as const
export const ClientPayload = payloadType<{ client: Client }>('ClientPayload', {
  description: 'The OAuth client after the change, or before its deletion.',
  fields: (t) => ({ client: t.expose('client', client) }),
})
export const CreateClientPayload = payloadType<{ client: Client; clientSecret: string | null }>('CreateClientPayload', {
  description: 'The OAuth client that was registered.',
  fields: (t) => ({
    client: t.expose('client', client),
    clientSecret: t.exposeString('clientSecret', {
      nullable: true,
      description: 'The secret. It is shown only here. Null for a public client.',
    }),
  }),
})
export const RotateClientSecretPayload = payloadType<{ client: Client; clientSecret: string }>('RotateClientSecretPayload', {
  description: 'The OAuth client with its new secret.',
  fields: (t) => ({
    client: t.expose('client', client),
    clientSecret: t.exposeString('clientSecret', { description: 'The secret. It is shown only here.' }),
  }),
})
