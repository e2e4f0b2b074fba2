import type { ObjectRef } from '@pothos/core'
import type { Types } from '../builder/builder.ts'
import { UserType } from '../accounts/user.ts'
import { identify } from '../builder/node.ts'
import type { Principal } from '../core/context.ts'
import { notFound } from '../core/errors.ts'
import { authorize } from '../core/requires.ts'
import { requirePrincipal } from '../core/team-access.ts'
import { isIdentifier } from '../core/validation.ts'
import { InvitationTermsType } from '../invitations/invitation-terms.ts'
import { PasskeyType } from '../security/passkeys/passkey.ts'
import { SessionType } from '../security/sessions/session.ts'
import { TrustedDeviceType } from '../security/trusted-devices/trusted-device.ts'
import { PersonType, personColumns } from '../teams/person.ts'
import { ViewerType } from '../viewer/viewer.ts'
import { teamsWith } from './teams-with.ts'
import { requirementOfField, throughField } from './through-field.ts'

identify(ViewerType, {
  key: (viewer) => viewerKey(viewer),
  load(context, key) {
    const viewer = requirePrincipal(context)
    return viewerKey(viewer).join() === key.join() ? viewer : null
  },
})

/** What a viewer sees depends on the credential. */
const viewerKey = (viewer: Principal) => ('credentialId' in viewer ? [viewer.kind, viewer.credentialId] : [viewer.kind])

identify(UserType, {
  key: ({ id }) => [id],
  async load(context, [id = ''], info) {
    const viewer = requirePrincipal(context)
    const own = await throughField<{ id: string } | null>({ parent: 'Viewer', field: 'user', type: 'User' }, viewer, {}, context, info)
    // The Prisma plugin may have read fewer columns than the type of the row says; it reads the others when they are selected.
    if (own?.id !== id) authorize(context, requirementOfField({ parent: 'Query', field: 'user' }, info), null)
    return isIdentifier(id) ? context.database.prisma.user.findUnique({ where: { id } }) : null
  },
})

// Callers who may list the members of a team see who its members are.
identify(PersonType, {
  key: ({ id }) => [id],
  async load(context, [id = ''], info) {
    const viewer = requirePrincipal(context)
    const teams = await teamsWith(context, requirementOfField({ parent: 'Team', field: 'member' }, info))
    const ofTeam = { memberships: { some: { teamId: { in: teams.map(({ team }) => team.id) } } } }
    const where = { AND: [{ id }, viewer.kind === 'operator' ? {} : ofTeam] }
    return isIdentifier(id) ? context.database.prisma.user.findFirst({ where, ...personColumns }) : null
  },
})

/** Gives the objects of a list of the viewer a global id. The list is short, and has no field for a single one. */
function identifyOfViewer<Row extends { id: string }>(ref: ObjectRef<Types, Row>, field: string): void {
  identify<Row>(ref, {
    key: ({ id }) => [id],
    async load(context, [id], info) {
      const rows = await throughField<Row[]>({ parent: 'Viewer', field, type: ref.name }, requirePrincipal(context), {}, context, info)
      const row = rows.find((each) => each.id === id)
      if (!row) throw notFound()
      return row
    },
  })
}
identifyOfViewer(SessionType, 'sessions')
identifyOfViewer(PasskeyType, 'passkeys')
identifyOfViewer(TrustedDeviceType, 'trustedDevices')
identifyOfViewer(InvitationTermsType, 'invitations')
