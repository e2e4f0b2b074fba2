import { statement } from '../../prisma/statement/statement.ts'
import { builder } from '../builder/builder.ts'
import { parseIdentifier } from '../core/global-id.ts'
import { isIdentifier } from '../core/validation.ts'
import { loadById } from '../lists/batch.ts'
import { pictureFiles, pictureUrl } from '../pictures/picture-url.ts'

const picturesOfUsers = statement<{ id: string; pictureId: string | null }, [ids: readonly string[]]>(
  'pictures_of_users',
  'SELECT id, picture_id AS "pictureId" FROM users WHERE id = ANY ($1::uuid[])',
)

/** A user as other users see them. It is not a type of Prisma's plugin, so any object with an id and a name can be one. */
export const PersonType = builder.objectRef<{ id: string; name: string; pictureId?: string | null }>('Person').implement({
  description: 'A user as other users see them.',
  describedBy: 'User',
  fields: (t) => ({
    userId: t.exposeID('id'),
    name: t.exposeString('name'),
    pictureUrl: t.string({
      description: `URL of the user’s picture, ${pictureFiles}`,
      nullable: true,
      resolve: async ({ id, pictureId }, _, context) => {
        if (pictureId !== undefined) return pictureUrl(context, pictureId)
        const picture = await loadById(context, 'pictures of users', id, (ids) => picturesOfUsers(context.database.pool, ids))
        return pictureUrl(context, picture?.pictureId ?? null)
      },
    }),
  }),
})

/** Loads a person with a row of Prisma's plugin. */
export const personColumns = { select: { id: true, name: true } } as const

/** SQL for the text by which users are sorted and searched. Members have it in `person` (docs/decisions/pagination.md#kept-names). */
export const keptName = (user: string) => `kept_name(${user}.name, ${user}.email)`

/** Returns the user's identifier from an argument that accepts it, a global id or other text. Null for other text. */
export function parseUserId(input: string): string | null {
  const id = parseIdentifier(input.trim(), ['Person', 'User', 'TeamMember'])
  return isIdentifier(id) ? id : null
}
