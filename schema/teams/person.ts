import { builder } from '../builder/builder.ts'
import { identifierOf } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'

/** A user as other users see them, in every place. It is not a type of Prisma's plugin, so any object with an id and a name can be one. */
export const PersonType = builder.objectRef<{ id: string; name: string }>('Person').implement({
  description: 'A user as other users see them.',
  describedBy: 'User',
  fields: (t) => ({ userId: t.exposeID('id'), name: t.exposeString('name') }),
})

/** Loads a person with a row of Prisma's plugin. */
export const personColumns = { select: { id: true, name: true } } as const

/** SQL for what people are sorted by and searched in, of a user in a table with this alias. Members have it in `person` (docs/decisions/pagination.md#kept-names). */
export const keptName = (user: string) => `kept_name(${user}.name, ${user}.email)`

/** Returns the user's identifier in an argument that takes it, a global id or other text. Null for other text. */
export function userIdOf(given: string): string | null {
  const id = identifierOf(given.trim(), ['Person', 'User', 'TeamMember'])
  return isIdentifier(id) ? id : null
}
