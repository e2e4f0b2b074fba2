import { UserType } from '../accounts/user.ts'
import { addGlobalId } from '../builder/node.ts'
import type { Principal } from '../core/principals.ts'
import { authorize } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { ExternalIdentityType } from '../identity-providers/linked/linked-identity.ts'
import { InvitationTermsType } from '../invitations/invitation-terms.ts'
import { PasskeyType } from '../security/passkeys/passkey.ts'
import { SessionType } from '../security/sessions/session.ts'
import { TrustedDeviceType } from '../security/trusted-devices/trusted-device.ts'
import { PersonType, personColumns } from '../teams/person.ts'
import { findTeamIdsOfCaller } from '../teams/teams-of-caller.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { loadById } from '../lists/batch.ts'
import { identifyInList, requirementOfField, throughField } from './through-field.ts'

addGlobalId(ViewerType, {
  key: (viewer) => viewerKey(viewer),
  load(context, key) {
    const viewer = requirePrincipal(context)
    return viewerKey(viewer).join() === key.join() ? viewer : null
  },
})

/** The key contains the credential, because the data that a viewer can see depends on it. */
const viewerKey = (viewer: Principal) => ('credentialId' in viewer ? [viewer.kind, viewer.credentialId] : [viewer.kind])

addGlobalId(UserType, {
  key: ({ id }) => [id],
  async load(context, [id = ''], info) {
    const viewer = requirePrincipal(context)
    const own = await throughField<{ id: string } | null>({ parent: 'Viewer', field: 'user', type: 'User' }, viewer, {}, context, info)
    if (own?.id !== id) authorize(context, requirementOfField({ parent: 'Query', field: 'user' }, info), null)
    // The function does not return `own`, because the Prisma plugin may have read only some of its columns.
    return isIdentifier(id) ? context.database.prisma.user.findUnique({ where: { id } }) : null
  },
})

// Callers who may list the members of a team may see the people who are its members.
addGlobalId(PersonType, {
  key: ({ id }) => [id],
  load: (context, [id = ''], info) =>
    loadById(context, 'node Person', id, async (ids) => {
      const teamIds = await findTeamIdsOfCaller(context, requirementOfField({ parent: 'Team', field: 'member' }, info))
      const ofTeam = teamIds && { memberships: { some: { teamId: { in: [...teamIds] } } } }
      const where = { id: { in: ids.filter(isIdentifier) }, ...ofTeam }
      return context.database.prisma.user.findMany({ where, ...personColumns })
    }),
})

for (const [ref, field] of [
  [SessionType, 'sessions'],
  [PasskeyType, 'passkeys'],
  [TrustedDeviceType, 'trustedDevices'],
  [ExternalIdentityType, 'externalIdentities'],
  [InvitationTermsType, 'invitations'],
] as const)
  identifyInList<{ id: string }>(ref, { parent: 'Viewer', field, getKey: ({ id }) => id })
