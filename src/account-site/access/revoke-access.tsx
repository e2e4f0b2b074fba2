import { z } from 'zod'
import { notFound } from '../../../schema/core/errors.ts'
import { SelectionPanel } from '../../web/components/lists/selection-panel.tsx'
import { eachForm, isConfirmed, listSelected, selectionFields } from '../framework/each-form.ts'
import { list } from '../framework/field-types.ts'
import { siteOperation } from '../framework/operation.ts'
import type { PageContext } from '../framework/page-context.ts'
import {
  DeleteIdentityAccessDocument,
  RevokeClientAccessDocument,
  RevokeGrantTeamAccessDocument,
  RevokeTeamTokenDocument,
  RevokeTokenTeamAccessDocument,
} from '../generated/operations.ts'
import type { AccessPartsFragment, TeamAccessKind } from '../generated/operations.ts'

const teamToken = siteOperation(RevokeTeamTokenDocument)
const personalToken = siteOperation(RevokeTokenTeamAccessDocument)
const app = siteOperation(RevokeGrantTeamAccessDocument)
const client = siteOperation(RevokeClientAccessDocument)
const identity = siteOperation(DeleteIdentityAccessDocument)

/** Operations that revoke each kind of access. Each returns the name of what it revoked. */
const revocations: Record<TeamAccessKind, (id: string, ctx: PageContext) => Promise<string>> = {
  async TEAM_TOKEN(id, ctx) {
    const { token } = (await teamToken.run({ input: { id } }, ctx)).revokeToken
    return 'name' in token ? token.name : id
  },
  async PERSONAL_TOKEN(tokenId, ctx) {
    return (await personalToken.run({ input: { team: ctx.param('team'), tokenId } }, ctx)).revokeTokenTeamAccess.token.name
  },
  async APP(grantId, ctx) {
    return (await app.run({ input: { team: ctx.param('team'), grantId } }, ctx)).revokeGrantTeamAccess.grant.client.name
  },
  async CLIENT(clientId, ctx) {
    return (await client.run({ input: { clientId } }, ctx)).revokeClientAccess.client.name
  },
  async WORKLOAD_IDENTITY(id, ctx) {
    return (await identity.run({ input: { id } }, ctx)).deleteWorkloadIdentity.identity.name
  },
}
const isKind = (kind: string | undefined): kind is TeamAccessKind => kind !== undefined && Object.hasOwn(revocations, kind)

/** Returns the value of a row's checkbox: its kind and its identifier. */
export const accessKey = ({
  kind,
  tokenId,
  grantId,
  clientId,
  identityId,
}: Pick<AccessPartsFragment, 'kind' | 'tokenId' | 'grantId' | 'clientId' | 'identityId'>) =>
  `${kind}:${tokenId ?? grantId ?? clientId ?? identityId}`

/** Revokes the access of one or several rows. */
export const revokeAccess = eachForm({
  fields: z.object({ ...selectionFields, only: list }),
  requirements: [...personalToken.requirements, ...app.requirements],
  field: 'selected',
  none: 'Select at least one token or app.',
  // The button of a row revokes only that row, whatever is selected.
  listSubjects: ({ only, ...fields }) => (only.length > 0 ? only : listSelected(fields)),
  needsConfirmation: ({ only, ...fields }) => only.length === 0 && !isConfirmed(fields),
  async run(key, _, ctx) {
    const [kind, id = ''] = key.split(':')
    if (!isKind(kind)) throw notFound()
    return revocations[kind](id, ctx)
  },
  getName: async () => 'A token or app',
  notice: (names) => `The access of ${names} was revoked.`,
})

/** A form that asks for confirmation before it revokes the selected access. */
export const RevokeSelected = () => (
  <SelectionPanel
    form="revoke-access"
    button="Revoke selected…"
    confirm={(count) => ({
      text:
        'Team tokens stop working permanently, workload identities are deleted, and team apps lose their own access. Personal tokens and connected apps lose access to this team only; their owners need a new token, or ' +
        'connect the app again.',
      button: `Revoke access of ${count === 1 ? '1 token or app' : `${count} tokens and apps`}`,
      isDangerous: true,
    })}
  />
)

const warnings: Record<AccessPartsFragment['kind'], string> = {
  TEAM_TOKEN: 'The token stops working permanently.',
  PERSONAL_TOKEN: 'The token loses access to this team. It keeps its other teams.',
  APP: 'The app loses access to this team until this person connects it again.',
  CLIENT: 'The app loses its own access to this team. People who connected it are not affected.',
  WORKLOAD_IDENTITY: 'The identity is deleted. Its jobs lose access permanently.',
}

/** Says what happens if an access is revoked. */
export const describeRevocation = ({ kind, providerName }: Pick<AccessPartsFragment, 'kind' | 'providerName'>): string =>
  providerName === null
    ? warnings[kind]
    : 'The app loses access now. Your identity provider can give it access again until you remove the app under Agents.'
