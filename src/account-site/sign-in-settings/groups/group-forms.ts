import { z } from 'zod'
import { invalid, notFound } from '../../../../schema/core/errors.ts'
import { displayName } from '../../../../schema/core/validation.ts'
import { siteOperation } from '../../framework/operation.ts'
import type { PageContext } from '../../framework/page-context.ts'
import { GroupRolesDocument } from '../../generated/operations.ts'
import type { GroupRoleInput } from '../../generated/operations.ts'
import { accessFields, buildAccessInput } from '../../members/app-access-fields.tsx'
import { signInSettingsPath } from '../sign-in-overview.tsx'

export const groupsPath = `${signInSettingsPath}/groups`

/** Returns the name of a group as part of a path. A name can contain slashes, or consist of dots. */
export const encodeGroup = (group: string): string => Buffer.from(group).toString('base64url')
/** Returns the name of the group in the path. */
export const groupIn = (ctx: PageContext): string => Buffer.from(ctx.param('group'), 'base64url').toString()

/** Returns the address of a group that has a role. `team` is the slug. */
export const groupAddress = (team: string, group: string): string => `/teams/${team}/sign-in/groups/${encodeGroup(group)}`
/** Returns the address of the form that gives a group a role. */
export const newGroupAddress = (team: string, group: string): string =>
  `/teams/${team}/sign-in/groups/new?${new URLSearchParams({ group })}`
/** Returns the group in the query of the form. */
export const groupToAdd = ({ query }: PageContext): string | undefined => displayName.safeParse(query.get('group')).data

/** The fields of a group. They are validated here, because the mutation receives the whole list, so that its errors refer to an index. */
export const groupFields = accessFields.extend({ group: displayName, role: z.enum(['MEMBER', 'BILLING']) })
type Fields = z.output<typeof groupFields>

export const buildGroupInput = (fields: Fields): GroupRoleInput => ({ group: fields.group, ...buildAccessInput(fields) })

const groupRoles = siteOperation(GroupRolesDocument)
/** Returns the groups of the team in the path that have a role. */
const findGroupRoles = async (ctx: PageContext): Promise<GroupRoleInput[]> =>
  (await groupRoles.run({ team: ctx.param('team') }, ctx)).team.groupRoles

const buildInput = (ctx: PageContext, groups: readonly GroupRoleInput[]) => ({ input: { team: ctx.param('team'), groups: [...groups] } })

/** Returns the input that adds a group. Throws if it has a role already. */
export async function withGroup(ctx: PageContext, added: GroupRoleInput) {
  const current = await findGroupRoles(ctx)
  requireNew(current, added)
  return buildInput(ctx, [...current, added])
}

/** Returns the input that changes the group in the path, or removes it. Throws `not_found` if it has no role. */
export async function withChangedGroup(ctx: PageContext, changed: GroupRoleInput | null) {
  const current = await findGroupRoles(ctx)
  const otherGroups = current.filter(({ group }) => group !== groupIn(ctx))
  if (otherGroups.length === current.length) throw notFound()
  if (changed) requireNew(otherGroups, changed)
  return buildInput(ctx, changed ? [...otherGroups, changed] : otherGroups)
}

function requireNew(groups: readonly GroupRoleInput[], { group }: GroupRoleInput): void {
  if (groups.some((each) => each.group === group)) throw invalid({ group: ['This group is already in the list.'] })
}
