import { isDeepStrictEqual } from 'node:util'
import type { TimeSettings } from '../../../schema/core/context.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { useTimes } from '../../web/components/time.tsx'
import { allProducts } from '../../../schema/core/products.ts'
import { formatDate } from '../../web/time-format.ts'
import type { EntryPartsFragment } from '../generated/operations.ts'
import { labelOf, textOf, valuesOf } from './changes.ts'
import type { Values } from './changes.ts'
import { isTeamAction } from './labels.ts'
import type { TeamAction } from './labels.ts'

type Entry = Pick<EntryPartsFragment, 'action' | 'actionName' | 'subject' | 'subjectName' | 'subjectUser' | 'before' | 'after'>

/** A part of a sentence: words, or the name of somebody or something. */
export type Part = string | { name: string }

/** What a sentence is made of. */
interface Told {
  /** The name of what was changed. */
  target: Part
  /** Whose token or app it is; empty if that is not known. */
  owner: Part[]
  before: Values
  after: Values
  /** Returns a property as the pages say it. */
  oldText(property: string): string
  newText(property: string): string
  times: TimeSettings
}

const named = (name: unknown): Part => ({ name: String(name) })

const again = ({ after }: Told) => (after['renewed'] === true ? 'again ' : '')
const invited = (told: Told): Part[] => ['invited ', told.target, ` ${again(told)}as ${told.newText('role')}`]

/** The sentences, without the actor who begins them. Targets have their names, never identifiers. */
const sentences: Readonly<Record<TeamAction, (told: Told) => Part[]>> = {
  CREATE_TEAM: () => ['created the team'],
  UPDATE_TEAM: (told) => teamChanged(told),
  DELETE_TEAM: () => ['deleted the team'],
  RESTORE_TEAM: () => ['restored the team'],
  TRANSFER_OWNERSHIP: ({ target }) => ['transferred the ownership to ', target],
  SET_TWO_FACTOR_REQUIREMENT: ({ after: { twoFactorRequiredAt: from }, times }) =>
    typeof from === 'string'
      ? [`required two-factor authentication from ${formatDate(from, times)}`]
      : ['stopped requiring two-factor authentication'],
  REMIND_OF_TWO_FACTOR: ({ target }) => ['reminded ', target, ' to turn on two-factor authentication'],
  INVITE_MEMBER: (told) => invited(told),
  INVITE_FROM_DIRECTORY: (told) => [...invited(told), ' for the directory'],
  RESEND_INVITATION: ({ target }) => ['sent the invitation of ', target, ' again'],
  REVOKE_INVITATION: ({ target }) => ['revoked the invitation of ', target],
  ACCEPT_INVITATION: (told) => [`joined the team as ${told.newText('role')}`],
  DECLINE_INVITATION: ({ target }) => ['declined the invitation to ', target],
  EXPIRE_INVITATION: ({ target }) => ['ended the invitation of ', target, ', which was not answered in time'],
  ADD_MEMBER: ({ target, ...told }) => ['added ', target, ` as ${told.newText('role')}`],
  JOIN_THROUGH_PROVIDER: ({ target, ...told }) => [
    'added ',
    target,
    ` as ${told.newText('role')}, who signed in through an identity provider`,
  ],
  PROVISION_MEMBER: ({ target, ...told }) => ['added ', target, ` as ${told.newText('role')} for the directory`],
  APPLY_GROUPS: (told) =>
    isTermChanged(told) ? memberChanged(told) : ['put ', told.target, ' under the management of the identity provider'],
  REMOVE_BY_GROUPS: ({ target }) => ['removed ', target, ', who is in no group that has a role'],
  DEPROVISION_MEMBER: ({ target }) => ['removed ', target, ' from the team for the directory'],
  SET_GROUP_ROLES: () => ['changed the roles of groups'],
  CREATE_SCIM_GROUP: ({ target }) => ['created the directory group ', target],
  UPDATE_SCIM_GROUP: ({ target }) => ['changed the directory group ', target],
  DELETE_SCIM_GROUP: ({ target }) => ['deleted the directory group ', target],
  UPDATE_MEMBER: (told) => memberChanged(told),
  REMOVE_MEMBER: ({ target }) => ['removed ', target, ' from the team'],
  REMOVE_DELETED_USER: ({ target }) => ['removed ', target, ', whose account was deleted'],
  LEAVE_TEAM: () => ['left the team'],
  CREATE_TEAM_TOKEN: ({ target }) => ['created the team token ', target],
  ROTATE_TOKEN: ({ target }) => ['rotated the token ', target],
  UPDATE_TOKEN: ({ target, before }) => ['renamed the token ', named(before['name']), ' to ', target],
  ANNOUNCE_TOKEN_EXPIRY: ({ target }) => ['announced that the token ', target, ' expires soon'],
  CREATE_GRANT: ({ target }) => ['connected the app ', target],
  EXTEND_GRANT: ({ target }) => ['gave the app ', target, ' more permissions'],
  REVOKE_TOKEN: ({ target }) => ['revoked the token ', target],
  REVOKE_TOKEN_TEAM_ACCESS: ({ target, owner }) => ['revoked the access of the personal token ', target, ...owner],
  REDUCE_GRANT_SCOPES: ({ target }) => ['reduced the permissions of the app ', target],
  REVOKE_GRANT: ({ target }) => ['revoked the app ', target],
  REVOKE_GRANT_TEAM_ACCESS: ({ target, owner }) => ['revoked the access of the app ', target, ...owner],
  ISSUE_INVOICE: ({ target }) => ['issued the invoice ', target],
  ISSUE_PAID_INVOICE: ({ target }) => ['issued the invoice ', target, ', which is paid'],
  UPDATE_INVOICE: ({ target }) => ['changed the invoice ', target],
  PAY_INVOICE: ({ target }) => ['recorded that the invoice ', target, ' was paid'],
  ANNOUNCE_OVERDUE_INVOICE: ({ target }) => ['announced that the invoice ', target, ' is overdue'],
  CREATE_WEBHOOK: ({ target }) => ['created the webhook ', target],
  UPDATE_WEBHOOK: ({ target, after: { enabled } }) => [
    `${enabled === undefined ? 'changed' : enabled === true ? 'enabled' : 'disabled'} the webhook `,
    target,
  ],
  DELETE_WEBHOOK: ({ target }) => ['deleted the webhook ', target],
  ROTATE_WEBHOOK_SECRET: ({ target }) => ['rotated the secret of the webhook ', target],
  SEND_TEST_EVENT: ({ target }) => ['sent a test event to the webhook ', target],
  REDELIVER: ({ target }) => ['delivered an event again to the webhook ', target],
  REPLAY_EVENTS: ({ target, after: { events } }) => [
    `replayed ${events === 1 ? '1 event' : `${Number(events)} events`} to the webhook `,
    target,
  ],
  DISABLE_WEBHOOK: ({ target, after: { reason } }) => [
    'disabled the webhook ',
    target,
    reason === 'gone' ? ', whose endpoint answered 410 Gone' : ', to which no delivery succeeded for three days',
  ],
  CREATE_WORKLOAD_IDENTITY: ({ target }) => ['created the workload identity ', target],
  UPDATE_WORKLOAD_IDENTITY: ({ target }) => ['changed the workload identity ', target],
  DELETE_WORKLOAD_IDENTITY: ({ target }) => ['deleted the workload identity ', target],
  SET_SIGN_IN_REQUIREMENT: ({ after: { signInProvider } }) =>
    typeof signInProvider === 'string'
      ? ['required sign-in through ', named(signInProvider)]
      : ['stopped requiring sign-in through an identity provider'],
  REMIND_OF_REQUIRED_SIGN_IN: ({ target }) => ['reminded ', target, ' to sign in through the identity provider'],
  OPEN_TEAM_AS_OWNER: () => ['opened the team with a passkey, without the sign-in that it requires'],
  ADD_TEAM_DOMAIN: ({ target }) => ['added the domain ', target],
  VERIFY_TEAM_DOMAIN: ({ target }) => ['verified the domain ', target],
  REMOVE_TEAM_DOMAIN: ({ target }) => ['removed the domain ', target],
  LOSE_TEAM_DOMAIN: ({ target }) => ['ended the verification of the domain ', target, ', whose TXT record was missing for 14 days'],
  CREATE_IDENTITY_PROVIDER: ({ target }) => ['created the identity provider ', target],
  UPDATE_IDENTITY_PROVIDER: ({ target }) => ['changed the identity provider ', target],
  DELETE_IDENTITY_PROVIDER: ({ target }) => ['deleted the identity provider ', target],
  DISABLE_IDENTITY_PROVIDER: ({ target }) => ['disabled the identity provider ', target],
  ENABLE_IDENTITY_PROVIDER: ({ target }) => ['enabled the identity provider ', target],
  CREATE_TEAM_CLIENT: ({ target }) => ['registered the app ', target],
  UPDATE_TEAM_CLIENT: ({ target }) => ['changed the app ', target],
  SUBMIT_TEAM_CLIENT: ({ target }) => ['submitted the app ', target, ' for review'],
  ROTATE_TEAM_CLIENT_SECRET: ({ target }) => ['rotated the secret of the app ', target],
  REVOKE_CLIENT_ACCESS: ({ target }) => ['revoked the access of the team app ', target],
  DELETE_TEAM_CLIENT: ({ target }) => ['deleted the app ', target],
  APPROVE_CLIENT: ({ target, after: { state } }) => [
    state === 'listed' ? 'published the app ' : 'approved the changes to the app ',
    target,
  ],
  REJECT_CLIENT: ({ target, after: { state } }) => [
    state === 'rejected' ? 'rejected the app ' : 'rejected the changes to the app ',
    target,
  ],
  UPDATE_CLIENT: ({ target }) => ['changed the app ', target],
  ROTATE_CLIENT_SECRET: ({ target }) => ['rotated the secret of the app ', target],
  DISABLE_CLIENT: ({ target }) => ['disabled the app ', target],
  ENABLE_CLIENT: ({ target }) => ['enabled the app ', target],
  DELETE_CLIENT: ({ target }) => ['deleted the app ', target],
  EXPORT_AUDIT_LOG: ({ after }) => [
    `exported the audit log (${after['entries'] === 1 ? '1 entry' : `${Number(after['entries'])} entries`})`,
  ],
  READ_AS_STAFF: () => ['read data of the team as staff of the service'],
}

/** What the actor of an entry did. An action that no longer exists has its name. */
export function sentenceOf({ action, actionName, subject, subjectName, subjectUser, ...json }: Entry, times: TimeSettings): Part[] {
  const target = named(subjectName ?? subject)
  if (!isTeamAction(action)) return [`${actionName}: `, target]
  const [before, after] = [valuesOf(json.before), valuesOf(json.after)]
  return sentences[action]({
    target,
    owner: subjectUser ? [' of ', named(subjectUser.name)] : [],
    before,
    after,
    oldText: (property) => textOf(before, property, times) ?? 'none',
    newText: (property) => textOf(after, property, times) ?? 'none',
    times,
  })
}

/** A sentence as plain text. */
export const plainText = (parts: readonly Part[]): string => parts.map((part) => (typeof part === 'string' ? part : part.name)).join('')

/** What the actor of an entry did, as a sentence without its subject. */
export const Sentence = ({ entry }: { entry: Entry }) => (
  <>{sentenceOf(entry, useTimes()).map((part) => (typeof part === 'string' ? part : <StrongAddress>{part.name}</StrongAddress>))}</>
)

function teamChanged({ before, after, ...told }: Told): Part[] {
  const [property, ...others] = Object.keys(after)
  if (property === undefined) return ['changed the team']
  if (others.length > 0) return [`changed the ${new Intl.ListFormat('en-GB').format([property, ...others].map(labelOf))} of the team`]
  if (property === 'name') return ['renamed the team from ', named(before['name']), ' to ', named(after['name'])]
  if (after[property] === null) return [`removed the ${labelOf(property)} of the team`]
  if (property === 'logo') return ['changed the logo of the team']
  return [`changed the ${labelOf(property)} of the team to ${told.newText(property)}`]
}

const isTermChanged = ({ before, after }: Told) =>
  ['role', 'accessibleAppIds'].some((property) => !isDeepStrictEqual(before[property], after[property]))

function memberChanged({ target, before, after, ...told }: Told): Part[] {
  const isChanged = (property: string) => !isDeepStrictEqual(before[property], after[property])
  const [old, now] = [told.oldText('accessibleAppIds'), told.newText('accessibleAppIds')].map((text) =>
    text === allProducts ? 'all products' : text,
  )
  const products = `from ${old} to ${now}`
  if (!isChanged('role')) return ['changed the products of ', target, ` ${products}`]
  const role: Part[] = ['changed the role of ', target, ` from ${told.oldText('role')} to ${told.newText('role')}`]
  return isChanged('accessibleAppIds') ? [...role, `, and the products ${products}`] : role
}
