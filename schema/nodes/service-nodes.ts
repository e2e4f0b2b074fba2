import { identify } from '../builder/node.ts'
import { ClientType } from '../oauth/client.ts'
import type { ClientWithSecrets } from '../oauth/client.ts'
import { SigningKeyType } from '../oauth/signing-keys/signing-key.ts'
import { identifyInList } from './in-list.ts'
import { throughField } from './through-field.ts'

// What belongs to the service, and not to a team or user. Staff find clients through `staff` alone, where each read is audited.

identify(ClientType, {
  key: ({ clientId }) => [clientId],
  load: (context, [clientId], info) =>
    throughField<ClientWithSecrets>({ parent: 'Query', field: 'client', type: 'OAuthClient' }, {}, { clientId }, context, info),
})

identifyInList(SigningKeyType, { parent: 'Query', field: 'signingKeys', keyOf: ({ kid }) => kid })
