import { addGlobalId } from '../builder/node.ts'
import { authorize } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { isClientIdentifier } from '../oauth/clients/client-rules.ts'
import { clientParts, ClientType } from '../oauth/clients/client.ts'
import type { ClientWithSecrets } from '../oauth/clients/client.ts'
import { ownerAccess } from '../oauth/team-clients/own-client.ts'
import { SigningKeyType } from '../oauth/signing-keys/signing-key.ts'
import { seeTeamTokens } from '../tokens/rules.ts'
import { identifyInList, throughField } from './through-field.ts'

// These objects of the service belong to no team or user. Staff can read clients only through `staff`, where each read is audited.

addGlobalId(ClientType, {
  key: ({ clientId }) => [clientId],
  // Owners can read the clients of their teams. Only the operator can read other clients.
  async load(context, [clientId = ''], info) {
    if (requirePrincipal(context).kind !== 'operator' && isClientIdentifier(clientId)) {
      const client = await context.database.prisma.oAuthClient.findUnique({ where: { clientId }, include: clientParts })
      const teamAccess = client && (await ownerAccess(context, client))
      if (teamAccess) {
        authorize(context, seeTeamTokens, teamAccess)
        return client
      }
    }
    return throughField<ClientWithSecrets>({ parent: 'Query', field: 'client', type: 'OAuthClient' }, {}, { clientId }, context, info)
  },
})

identifyInList(SigningKeyType, { parent: 'Query', field: 'signingKeys', getKey: ({ kid }) => kid })
