import { identify } from '../builder/node.ts'
import { ClientType } from '../oauth/clients/client.ts'
import type { ClientWithSecrets } from '../oauth/clients/client.ts'
import { SigningKeyType } from '../oauth/signing-keys/signing-key.ts'
import { identifyInList } from './in-list.ts'
import { throughField } from './through-field.ts'

// Objects of the service, which belong to no team or user. Staff reach clients only through `staff`, where each read is audited.

identify(ClientType, {
  key: ({ clientId }) => [clientId],
  load: (context, [clientId], info) =>
    throughField<ClientWithSecrets>({ parent: 'Query', field: 'client', type: 'OAuthClient' }, {}, { clientId }, context, info),
})

identifyInList(SigningKeyType, { parent: 'Query', field: 'signingKeys', keyOf: ({ kid }) => kid })
